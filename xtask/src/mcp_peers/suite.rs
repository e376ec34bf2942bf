//! The conformance suite over HTTP, and the page that says what it finds.

use std::collections::BTreeSet;
use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};

use super::Scene;
use crate::shell::{Done, read, root};

pub(super) const SCRIPT: &str = "node_modules/@modelcontextprotocol/conformance/dist/index.js";
const PAGE: &str = "docs/reference/mcp-conformance.md";

/// The word that lets the suite in.
const TOKEN: &str = "9f3c61e07ab2d8455c1f90be7d6a24e3";

pub(super) fn conform(scene: &Scene) -> Done {
    let web = Web::start(scene)?;
    let mut command = scene.node(SCRIPT);
    command.args(["server", "--suite", "all", "--url", &web.url]);
    command.arg("--output-dir").arg(scene.peers.join("results"));
    let output = command.output().map_err(|error| error.to_string())?;
    let said = String::from_utf8_lossy(&output.stdout);
    let summary = said.split("=== SUMMARY ===").nth(1).unwrap_or(&said);
    println!("{}", summary.trim());
    let is_whole = summary.contains("Total:") && !summary.contains('✗');
    if !output.status.success() || !is_whole {
        return Err("not all scenarios of the conformance suite pass".to_owned());
    }
    let page = read(&root().join(PAGE))?;
    let passed = summary.lines().filter_map(|line| line.strip_prefix("✓ "));
    let passed = passed.filter_map(|line| Some(line.split_once(": ")?.0));
    same("server scenarios that pass", passed.collect(), rows(&page))?;
    let listed = scene.node(SCRIPT).arg("list").output();
    let listed = listed.map_err(|error| error.to_string())?.stdout;
    let listed = String::from_utf8_lossy(&listed);
    let (servers, clients) = listed.split_once("\nClient scenarios").unwrap_or_default();
    same("server scenarios", scenarios(servers), rows(&page))?;
    same(
        "client scenarios",
        scenarios(clients),
        quoted(section(&page, "## Clients")),
    )?;
    println!("{PAGE} names each of them");
    Ok(())
}

/// Fails unless the suite and the page name the same.
fn same(what: &str, suite: BTreeSet<&str>, page: BTreeSet<&str>) -> Done {
    if suite.is_empty() || suite != page {
        let differ: Vec<_> = suite.symmetric_difference(&page).collect();
        return Err(format!(
            "{PAGE} and the suite name other {what}: {differ:?}"
        ));
    }
    Ok(())
}

/// What the suite lists, a line each: `  - ping [2025-06-18]`.
fn scenarios(list: &str) -> BTreeSet<&str> {
    let lines = list.lines().filter_map(|line| line.strip_prefix("  - "));
    lines
        .filter_map(|line| line.split_whitespace().next())
        .collect()
}

/// The rows of the page's first table that say `passes`, a scenario each.
fn rows(page: &str) -> BTreeSet<&str> {
    let (table, _) = page.split_once("\n## ").unwrap_or((page, ""));
    let rows = table.lines().filter_map(|line| line.strip_prefix("| `"));
    rows.filter_map(|row| Some(row.split_once("` | passes |")?.0))
        .collect()
}

/// What stands under a heading.
fn section<'a>(page: &'a str, heading: &str) -> &'a str {
    let rest = page.split(heading).nth(1).unwrap_or_default();
    rest.split("\n## ").next().unwrap_or_default()
}

/// All words in backticks.
fn quoted(text: &str) -> BTreeSet<&str> {
    text.split('`').skip(1).step_by(2).collect()
}

/// The server over HTTP, as long as this lives.
struct Web {
    child: Child,
    url: String,
}

impl Web {
    fn start(scene: &Scene) -> Result<Self, String> {
        let mut command = Command::new(scene.server());
        command
            .args(["mcp", "--http", "127.0.0.1:0", "--test-tools"])
            .current_dir(&scene.repo)
            .env("HOME", &scene.home)
            .env("ANALECTS_MCP_TOKEN", TOKEN)
            .stderr(Stdio::piped());
        let mut child = command.spawn().map_err(|error| error.to_string())?;
        let errors = child.stderr.take().ok_or("a program without errors")?;
        let mut line = String::new();
        let read = BufReader::new(errors).read_line(&mut line);
        let url = match read {
            Ok(_) => line.trim().strip_prefix("listening on "),
            Err(_) => None,
        };
        let url = url.map(|url| format!("{url}/{TOKEN}")).unwrap_or_default();
        Ok(Self { child, url })
    }
}

impl Drop for Web {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
