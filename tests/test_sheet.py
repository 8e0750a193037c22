"""A CSV file is read cell by cell and written back to the byte."""

from __future__ import annotations

import csv
import io
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.errors import SubmissionError
from grader.sheet import MalformedError, Row, parse_sheet, read_sheet

if TYPE_CHECKING:
    from pathlib import Path

DELIMITERS = st.sampled_from([",", ";", "\t"])
PIECES = [
    *(",", ";", "\t", '"', '""', "\r", "\n", "\r\n", " ", "\ufeff", "\0", "\x0b", "\u2028", "\u202e", "a", "=1+1"),
    *("007", "é", "e\u0301", "名前", '"a, b"', '"say ""hi"""', "1,5", "'"),
]
TEXTS = st.lists(st.sampled_from(PIECES) | st.text(max_size=3), max_size=12).map("".join)
TABLES = st.lists(st.lists(TEXTS, min_size=1, max_size=4), min_size=1, max_size=5)


def read_by_csv(text: str, delimiter: str) -> list[list[str]]:
    """What the standard library reads, which leaves the byte order mark to whoever opens the file."""
    return list(csv.reader(io.StringIO(text.removeprefix("\ufeff"), newline=""), delimiter=delimiter, strict=True))


def written(table: list[list[str]], delimiter: str, quoting: int) -> str:
    """A table as a program writes it."""
    stream = io.StringIO(newline="")
    csv.writer(stream, delimiter=delimiter, quoting=quoting).writerows(table)  # type: ignore[arg-type]
    return stream.getvalue()


class TestParsing:
    """Laws that hold for any text whatever."""

    @given(TEXTS, DELIMITERS)
    def test_every_byte_is_kept(self, text: str, delimiter: str) -> None:
        """What can be parsed is written back as it was, if nothing is filled in."""
        try:
            sheet = parse_sheet(text, delimiter)
        except MalformedError:
            return

        assert text == sheet.text == sheet.filled({})

    @given(TEXTS, DELIMITERS)
    def test_it_is_read_as_the_csv_module_reads_it(self, text: str, delimiter: str) -> None:
        """The cells say the same, and what one of the two refuses the other refuses as well."""
        try:
            expected = read_by_csv(text, delimiter)
        except csv.Error:
            with pytest.raises(MalformedError):
                parse_sheet(text, delimiter)
            return

        assert expected == [list(row.values) for row in parse_sheet(text, delimiter).rows]

    @given(TABLES, DELIMITERS, st.sampled_from([csv.QUOTE_MINIMAL, csv.QUOTE_ALL]))
    def test_what_a_program_wrote_is_read(self, table: list[list[str]], delimiter: str, quoting: int) -> None:
        """Whatever is in its cells."""
        text = "\ufeff" + written(table, delimiter, quoting)

        assert table == [list(row.values) for row in parse_sheet(text, delimiter).rows]

    @given(TABLES, DELIMITERS, st.data())
    def test_a_cell_is_filled_in(self, table: list[list[str]], delimiter: str, data: st.DataObject) -> None:
        """It says what was put there, and every other cell is written as it was."""
        text = data.draw(TEXTS.filter(bool))
        row = data.draw(st.integers(0, len(table) - 1))
        place = data.draw(st.integers(0, len(table[row]) - 1))
        before = parse_sheet("\ufeff" + written(table, delimiter, csv.QUOTE_MINIMAL), delimiter)
        after = parse_sheet(before.filled({(before.rows[row].line, place): text}), delimiter)
        table[row][place] = text

        assert table == [list(each.values) for each in after.rows]
        for number, (old, new) in enumerate(zip(before.rows, after.rows, strict=True)):
            same = [each for each in range(len(old.written)) if (number, each) != (row, place)]
            assert [old.written[each] for each in same] == [new.written[each] for each in same]
            assert old.end == new.end

    def test_quotation_marks_are_used_as_before(self) -> None:
        """A cell that was quoted stays so, one that was not is quoted only where it has to be."""
        sheet = parse_sheet('a,"b",c,d\n', ",")

        assert '1,"2","3,5",4\n' == sheet.filled({(1, 0): "1", (1, 1): "2", (1, 2): "3,5", (1, 3): "4"})

    def test_lines_are_counted_as_an_editor_does(self) -> None:
        """A row has the number of the line on which it begins, after cells of many lines and blank ones."""
        sheet = parse_sheet('a,b\r\n"x\r\ny\nz",1\n\n2,3', ",")

        assert [1, 2, 5, 6] == [row.line for row in sheet.rows]
        assert Row(5, (), "\n") == sheet.rows[2]

    @pytest.mark.parametrize(("text", "line"), [('a\n"b', 2), ('a\n\n"b"c\n', 3), ('"', 1), ('"a\n"b,\n', 1)])
    def test_quotation_marks_that_do_not_match(self, text: str, line: int) -> None:
        """The error says in which line the trouble begins."""
        with pytest.raises(MalformedError) as caught:
            parse_sheet(text, ",")

        assert line == caught.value.line


class TestSheet:
    """What a sheet knows of its columns."""

    def test_header_and_body(self) -> None:
        """Rows that say nothing are neither."""
        sheet = parse_sheet("\ufeff\n , \n id ,name\n\n,,\n1,x\n", ",")

        assert ("id", "name") == sheet.columns
        assert [("1", "x")] == [row.values for row in sheet.body]

    def test_nothing(self) -> None:
        """An empty file has neither."""
        sheet = parse_sheet("", ",")

        assert ((), ()) == (sheet.columns, sheet.body)

    def test_column(self) -> None:
        """A column is found by its name, spaces around it aside."""
        assert 1 == parse_sheet("id, Lab 1 (7) \n", ",").column("Lab 1 (7)", "")

    @pytest.mark.parametrize(
        ("name", "said"),
        [
            ("Lab 1 (70)", r"list\.csv has no column 'Lab 1 \(70\)' for grades; did you mean 'Lab 1 \(7\)'\?"),
            ("x", r"no column 'x' for grades; its columns are 'id', 'Lab 1 \(7\)', 'twice', 'twice'\."),
            ("twice", r"list\.csv has 2 columns 'twice'; rename one\."),
        ],
    )
    def test_no_column(self, name: str, said: str) -> None:
        """Of a name that is not there, or twice, the error says what there is."""
        sheet = parse_sheet("id,Lab 1 (7),twice,twice\n", ",", "list.csv")

        with pytest.raises(SubmissionError, match=said):
            sheet.column(name, " for grades")

    def test_many_columns(self) -> None:
        """Not all of very many are listed."""
        sheet = parse_sheet(",".join(f"c{number}" for number in range(100)), ",")

        assert sheet.listed_columns().endswith(", 'c29' and 70 more.")

    def test_values(self) -> None:
        """Cells are read without the spaces around them, if there is one for each column."""
        sheet = parse_sheet("a;b\n x ;y\nMüller; Jr.;z\n", ";", "list.csv")

        assert ("x", "y") == sheet.values(sheet.body[0])
        with pytest.raises(SubmissionError, match=r"list\.csv, line 3: has 3 cells and the header 2; put quotation"):
            sheet.values(sheet.body[1])


class TestFiles:
    """Reading a file."""

    @pytest.mark.parametrize(
        ("text", "delimiter"),
        [
            ("id,name\n", ","),
            ("ID;a,b,c;name\n", ";"),
            ("id\tname\n", "\t"),
            ('\n"id";"a\nb, c"\n', ";"),
            ("a;b,c;d\n", ";"),
            ("x\n", ","),
            ('id,"a\n', ";"),
        ],
    )
    def test_delimiter(self, tmp_path: Path, text: str, delimiter: str) -> None:
        """What separates the cells is found out from the columns that are known, else from their number."""
        (file := tmp_path / "list.csv").write_text(text, "utf-8", newline="")

        assert delimiter == read_sheet(file, 1, {"id", "name"}).delimiter

    @pytest.mark.parametrize(
        ("data", "said"),
        [
            (b"", r"list\.csv is empty; name a CSV file whose first line names the columns\."),
            (b"id\na\nM\xfcller\n", r"list\.csv, line 3: not UTF-8; save it as “CSV UTF-8”\."),
            ("id\n".encode("utf-16"), r"list\.csv, line 1: not UTF-8; save it"),
            (b'id\n"a', r"list\.csv, line 2: a quotation mark is open at the end, .*; write a quotation mark"),
            (b"x" * (1024 * 1024 + 1), r"list\.csv is larger than 1 MiB; name a CSV file of one class\."),
        ],
    )
    def test_refused(self, tmp_path: Path, data: bytes, said: str) -> None:
        """What cannot be read is told in one line, with the place and the next step."""
        (file := tmp_path / "list.csv").write_bytes(data)

        with pytest.raises(SubmissionError, match=said) as caught:
            read_sheet(file, 1, ())
        assert "\n" not in str(caught.value)

    def test_no_file(self, tmp_path: Path) -> None:
        """So is one that is not there, or a folder."""
        for place, reason in ((tmp_path / "x", "No such file or directory"), (tmp_path, "Is a directory")):
            with pytest.raises(SubmissionError, match=rf"cannot be read \({reason}\); name another file\."):
                read_sheet(place, 1, ())
