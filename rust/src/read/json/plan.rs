//! Which values of a document are cells of which table.

use std::collections::HashMap;

/// A step into a document: `.name` into an object, `*` into each of its values, `[]` into each
/// element of a list; at the end of a path `@key` is the key of the last `*`, `@place` the place,
/// from 1, in the last `[]`, `@local` what stands behind the last `::` of a text, `@null` says "no
/// answer" where the value is null, `@there` is true where there is any other value; a path `=text`
/// is that text in each document.
pub type Path = Vec<String>;

/// The rows of a table, as they were asked for: table, path of the rows, whether further plain
/// values of a row are columns, too, and the path of each column.
pub type Wanted = (String, Path, bool, Vec<(String, Path)>);

/// Where one value goes: rows number, column number, and how many paths of the column come first.
#[derive(Clone, Copy, PartialEq)]
pub struct Goal {
    pub rows: usize,
    pub column: usize,
    pub behind: usize,
    /// Is it only what stands behind the last `::` of a text?
    pub local: bool,
}

/// A place in documents.
#[derive(Default)]
pub struct Node {
    pub keys: Vec<(Box<str>, usize)>,
    pub any: Option<usize>,
    pub each: Option<usize>,
    pub value: Vec<Goal>,
    pub key: Vec<Goal>,
    pub place: Vec<Goal>,
    pub null: Vec<Goal>,
    pub there: Vec<Goal>,
    pub constants: Vec<(Goal, String)>,
    /// The rows for which this is a stretch that shares values, and how deep it lies.
    pub scopes: Vec<(usize, usize)>,
    /// The rows one of which ends here, and whether their further values are columns.
    pub row: Vec<(usize, bool)>,
    /// Does it lie on the way to rows, so that it must be what the plan says?
    pub on_way: bool,
}

/// The columns of a kind of rows.
pub struct Rows {
    pub table: String,
    /// Name, the depth of the stretch of rows that share its value, and its number of paths.
    pub columns: Vec<(String, usize, usize)>,
    /// Depth of the rows themselves.
    pub depth: usize,
}

pub struct Plan {
    pub nodes: Vec<Node>,
    pub rows: Vec<Rows>,
}

impl Plan {
    /// A plan, or the path that cannot be read.
    pub fn new(wanted: Vec<Wanted>) -> Result<Plan, String> {
        let mut plan = Plan { nodes: vec![Node::default()], rows: Vec::new() };
        for (number, (table, path, rest, columns)) in wanted.into_iter().enumerate() {
            let depths = plan.scopes(number, &path)?;
            let row = plan.node(&path)?;
            plan.nodes[row].row.push((number, rest));
            let depth = depths.len() - 1;
            plan.rows.push(Rows { table, columns: Vec::new(), depth });
            let mut names = HashMap::new();
            for (name, place) in columns {
                let shared = path.iter().zip(&place).take_while(|(a, b)| a == b).count();
                let level = depths.iter().filter(|&&depth| depth <= shared).count() - 1;
                let of_rows = &mut plan.rows[number].columns;
                let column = *names.entry(name.clone()).or_insert_with(|| {
                    of_rows.push((name, level, 0));
                    of_rows.len() - 1
                });
                if of_rows[column].1 != level {
                    return Err(place.concat());
                }
                let behind = of_rows[column].2;
                of_rows[column].2 += 1;
                plan.bind(Goal { rows: number, column, behind, local: false }, &place)?;
            }
        }
        Ok(plan)
    }

    /// Marks the stretches of a path: the document, and each element or value on the way.
    fn scopes(&mut self, rows: usize, path: &[String]) -> Result<Vec<usize>, String> {
        let inner = (1..=path.len()).filter(|&end| path[end - 1] == "[]" || path[end - 1] == "*");
        let mut ends: Vec<usize> = std::iter::once(0).chain(inner).collect();
        if ends.last() != Some(&path.len()) {
            ends.push(path.len());
        }
        for end in 0..=path.len() {
            let node = self.node(&path[..end])?;
            self.nodes[node].on_way = true;
        }
        for (depth, &end) in ends.iter().enumerate() {
            let node = self.node(&path[..end])?;
            self.nodes[node].scopes.push((rows, depth));
        }
        Ok(ends)
    }

    fn bind(&mut self, goal: Goal, path: &[String]) -> Result<(), String> {
        let (last, way) = path.split_last().map_or(("", path), |(last, way)| (last.as_str(), way));
        match last {
            text if text.starts_with('=') => {
                self.nodes[0].constants.push((goal, text[1..].to_owned()));
            }
            "@local" => {
                let node = self.node(way)?;
                self.nodes[node].value.push(Goal { local: true, ..goal });
            }
            "@null" => {
                let node = self.node(way)?;
                self.nodes[node].null.push(goal);
            }
            "@there" => {
                let node = self.node(way)?;
                self.nodes[node].there.push(goal);
            }
            "@key" => {
                let node = self.node(way)?;
                self.nodes[node].key.push(goal);
            }
            "@place" => {
                let node = self.node(way)?;
                self.nodes[node].place.push(goal);
            }
            _ => {
                let node = self.node(path)?;
                self.nodes[node].value.push(goal);
            }
        }
        Ok(())
    }

    /// The node at the end of a path, a new one if there is none.
    fn node(&mut self, path: &[String]) -> Result<usize, String> {
        let mut at = 0;
        for step in path {
            let node = &self.nodes[at];
            let known = match step.as_str() {
                "*" => node.any,
                "[]" => node.each,
                name => {
                    let name = name.strip_prefix('.').ok_or_else(|| path.concat())?;
                    node.keys.iter().find(|(key, _)| &**key == name).map(|(_, node)| *node)
                }
            };
            at = known.unwrap_or_else(|| self.grow(at, step));
        }
        Ok(at)
    }

    fn grow(&mut self, at: usize, step: &str) -> usize {
        let new = self.nodes.len();
        self.nodes.push(Node::default());
        let node = &mut self.nodes[at];
        match step {
            "*" => node.any = Some(new),
            "[]" => node.each = Some(new),
            name => node.keys.push((name[1..].into(), new)),
        }
        new
    }
}
