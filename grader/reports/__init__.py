"""What is shown of graded work: one file a format, each a pure function from outcomes to text.

What may be of any length is made piece by piece: it goes through the outcomes of a class and holds no more of them than
their outlines.

    junit         to_junit      one outcome, for CI systems; a student may have it
                  to_junit_batch, every outcome, for the instructor's
    markdown      report_markdown, class_markdown: the same for those that show Markdown
    github        to_annotations, what GitHub Actions shows beside a file
    json_record   to_json       everything of every outcome, for the instructor alone
    csv_table     to_csv        one row for each student and exercise
    student_page  to_student_page   all exercises of one student, as an HTML page for that student
    class_page    to_class_page     everything about a class, as an HTML page for the instructor alone
    comment       to_comment    one student's, in HTML, for a platform to show beside the grade
    console       ReportScreen, part by part as a file is graded; class_table, exercise_list
    prompt        prompt_screen, what a student reads of an exercise
    stats_screen  how the checks did in a class

Nothing here prints, writes a file or runs code. What others wrote passes through `text.visible`, and what a
student may read of a check comes from `feedback.explain`. Every text is to be written as UTF-8, as it is.
"""
