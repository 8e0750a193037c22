"""The way back: what `grader grade` left, in the file that a platform takes grades from.

    grades      what each student earned, in XP and in the platform's points
    form        a platform's file with a row for each student, and how it is filled in
    matching    which row is whose
    canvas      the gradebook of Canvas as a form
    moodle      the grading worksheet of a Moodle assignment as a form
    plain       a table and a JSON document of our own, for everything else

A cell in which no grade belongs stays as it was, to the byte, and so does all the rest of a platform's file.
"""
