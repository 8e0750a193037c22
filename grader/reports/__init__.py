"""What is shown of graded work: one file a format, each a pure function from outcomes to text.

    junit         to_junit      one outcome, for CI systems; a student may have it
    json_record   to_json       everything of every outcome, for the instructor alone
    csv_table     to_csv        one row for each student and exercise
    console       report_screen, class_table, exercise_list

Nothing here prints, writes a file or runs code. What others wrote passes through `text.visible`, and what a
student may read of a check comes from `feedback.explain`. Every text is to be written as UTF-8, as it is.
"""
