//! Plain tables: columns padded to one width, two spaces between them.

/// Alignment of a column.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Align {
    /// Left-aligned, for words.
    Left,
    /// Right-aligned, for numbers.
    Right,
}

/// A column: its heading, alignment and minimum width.
#[derive(Clone, Debug)]
pub struct Column {
    head: &'static str,
    align: Align,
    width: usize,
}

/// Returns a column of words.
pub fn words(head: &'static str) -> Column {
    Column { head, align: Align::Left, width: head.len() }
}

/// Returns a column of numbers.
pub fn numbers(head: &'static str) -> Column {
    Column { head, align: Align::Right, width: head.len() }
}

impl Column {
    /// Returns the column with a width of at least `width`, for tables printed row by row.
    pub fn at_least(mut self, width: usize) -> Self {
        self.width = self.width.max(width);
        self
    }
}

/// A table: its columns, with which the heading and each row are formatted.
#[derive(Clone, Debug)]
pub struct Table {
    columns: Vec<Column>,
}

impl Table {
    /// Returns a table of these columns.
    pub fn new(columns: Vec<Column>) -> Self {
        Self { columns }
    }

    /// Widens every column to fit all `rows`.
    pub fn fit(mut self, rows: &[Vec<String>]) -> Self {
        for (at, column) in self.columns.iter_mut().enumerate() {
            let widest = rows.iter().filter_map(|row| row.get(at)).map(|cell| cell.chars().count());
            column.width = column.width.max(widest.max().unwrap_or(0));
        }
        self
    }

    /// Returns the line of headings.
    pub fn heading(&self) -> String {
        self.line(self.columns.iter().map(|column| column.head))
    }

    /// Returns one row.
    pub fn row(&self, cells: &[String]) -> String {
        self.line(cells.iter().map(String::as_str))
    }

    /// Returns the heading and all rows.
    pub fn print(self, rows: &[Vec<String>]) -> String {
        let fitted = self.fit(rows);
        let mut lines = vec![fitted.heading()];
        lines.extend(rows.iter().map(|row| fitted.row(row)));
        lines.join("\n")
    }

    fn line<'a>(&self, cells: impl Iterator<Item = &'a str>) -> String {
        let padded: Vec<_> =
            self.columns.iter().zip(cells).map(|(column, cell)| pad(column, cell)).collect();
        padded.join("  ").trim_end().to_owned()
    }
}

fn pad(column: &Column, cell: &str) -> String {
    let width = column.width;
    match column.align {
        Align::Left => format!("{cell:<width$}"),
        Align::Right => format!("{cell:>width$}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_fit_the_widest_cell() {
        let rows = [vec!["a".to_owned(), "1".to_owned()], vec!["long".to_owned(), "22".to_owned()]];
        let text = Table::new(vec![words("set"), numbers("n")]).print(&rows);
        assert_eq!(text, "set    n\na      1\nlong  22");
    }
}
