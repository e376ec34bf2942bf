// Asks git itself which files it would ignore by the rules of a case: where we
// and the original differ about that, git is the judge.
//
// Rules of the three kinds (custom, .geminiignore, .gitignore) lie in trees of
// their own, all below one repository, so that git is asked once.

import { execFileSync } from 'node:child_process';
import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';

const KINDS = ['custom', 'gemini', 'git'];

export function askGit(records) {
  const top = fs.mkdtempSync(path.join(os.tmpdir(), 'analects-git-'));
  try {
    const asked = records.flatMap((record, index) => lay(record, path.join(top, String(index))));
    const says = verdicts(top, asked);
    return records.map((record, index) => judged(record, path.join(top, String(index)), says));
  } finally {
    fs.rmSync(top, { recursive: true, force: true });
  }
}

// The rules of a case, by kind: [directory, text].
function rulesOf({ files, input }) {
  const { cwd } = input;
  const text = (file) => files.find((entry) => entry.path === file)?.text;
  const at = (file) => (text(file) === undefined ? [] : [[cwd, text(file)]]);
  const above = (dir) => (dir === '/' ? [dir] : [dir, ...above(path.dirname(dir))]);
  const isRepository = above(cwd).some((dir) => files.some((entry) => entry.path.startsWith(path.join(dir, '.git')) && /\.git(\/|$)/.test(entry.path.slice(dir.length))));
  const nested = files.filter((entry) => entry.text !== undefined && path.basename(entry.path) === '.gitignore' && entry.path.startsWith(`${cwd}/`));
  return {
    custom: input.customIgnore.flatMap((name) => at(path.join(cwd, name))),
    gemini: input.respectGeminiIgnore ? at(`${cwd}/.geminiignore`) : [],
    git: input.respectGitIgnore && isRepository ? nested.map((entry) => [path.dirname(entry.path), entry.text]) : [],
  };
}

// Builds the tree once for each kind that has rules.
function lay(record, top) {
  const rules = rulesOf(record);
  return KINDS.filter((kind) => rules[kind].length > 0).flatMap((kind) => {
    const root = path.join(top, kind);
    const places = steps(record);
    for (const [place, isDir] of places) {
      const full = path.join(root, place);
      fs.mkdirSync(isDir ? full : path.dirname(full), { recursive: true });
      if (!isDir) fs.writeFileSync(full, '');
    }
    for (const [dir, text] of rules[kind]) {
      fs.mkdirSync(path.join(root, dir), { recursive: true });
      fs.writeFileSync(path.join(root, dir, '.gitignore'), text);
    }
    return places.map(([place]) => path.join(root, place));
  });
}

// Every file below the working directory, and every directory on the way to it.
function steps({ files, input: { cwd } }) {
  const found = new Map();
  for (const entry of files) {
    const isOurs = entry.path.startsWith(`${cwd}/`) && !/\/\.git(\/|$)|ignore$/.test(entry.path);
    if (entry.dir || !isOurs) continue;
    for (let dir = path.dirname(entry.path); dir !== cwd; dir = path.dirname(dir)) found.set(dir, true);
    found.set(entry.path, false);
  }
  return [...found];
}

// For each path: the pattern that decides, with its file and line.
function verdicts(top, asked) {
  const git = (args, input) => execFileSync('git', ['-c', 'core.ignorecase=true', '-c', 'core.excludesFile=/dev/null', ...args], {
    cwd: top, input, encoding: 'utf8', maxBuffer: 1 << 28, stdio: ['pipe', 'pipe', 'ignore'], env: { PATH: process.env.PATH, HOME: top },
  });
  git(['init', '-q']);
  if (asked.length === 0) return new Map();
  let said;
  try {
    said = git(['check-ignore', '--no-index', '-v', '-n', '-z', '--stdin'], asked.join('\0'));
  } catch (error) {
    // Nothing is ignored: that is exit code 1.
    said = error.stdout;
  }
  const fields = said.split('\0');
  const says = new Map();
  for (let at = 0; at + 3 < fields.length; at += 4) {
    const [source, line, pattern, place] = fields.slice(at, at + 4);
    says.set(place, { rule: source && `${source}:${line}`, isIgnored: source !== '' && !pattern.startsWith('!') });
  }
  return says;
}

function judged(record, top, says) {
  const kinds = KINDS.filter((kind) => rulesOf(record)[kind].length > 0);
  if (kinds.length === 0) return record;
  const { cwd } = record.input;
  const ignored = [];
  const unsure = [];
  for (const [file, isDir] of steps(record)) {
    if (isDir) continue;
    const way = file.slice(cwd.length + 1).split('/').map((_, index, names) => `${cwd}/${names.slice(0, index + 1).join('/')}`);
    const verdict = walk(way, (kind, place) => says.get(path.join(top, kind, place)), kinds);
    if (verdict === 'ignored') ignored.push(file);
    if (verdict === 'unsure') unsure.push(file);
  }
  return { ...record, ignored, unsure };
}

// From the outside in; the strongest kind that has a say decides. Below what a
// weaker kind ignores and a stronger one brings back, git cannot be asked.
function walk(way, says, kinds) {
  for (const [index, place] of way.entries()) {
    for (const kind of kinds) {
      const { rule, isIgnored } = says(kind, place) ?? {};
      if (!rule) continue;
      const isInherited = way.slice(0, index).some((above) => says(kind, above)?.isIgnored);
      if (isInherited) return 'unsure';
      if (isIgnored) return 'ignored';
      break;
    }
  }
  return 'shown';
}
