// Directory trees as values: taken before, compared after.

import * as crypto from 'node:crypto';
import * as fs from 'node:fs';
import * as path from 'node:path';

/** Never compared: git's own affairs, and the state that Analects keeps for itself. */
const OURS = [/(^|\/)\.git(\/|$)/, /(^|\/)\.gemini\/analects(\/|$)/];

/** Writes texts; a value that is no text is written as JSON. */
export function plant(root, files) {
  for (const [name, content] of Object.entries(files)) {
    const file = path.join(root, name);
    fs.mkdirSync(path.dirname(file), { recursive: true });
    const text = typeof content === 'string' ? content : `${JSON.stringify(content, null, 2)}\n`;
    fs.writeFileSync(file, text);
  }
}

/** Every entry below the roots: path → what it is, in one line. */
export function snapshot(...roots) {
  const seen = new Map();
  const visit = (entry) => {
    if (OURS.some((pattern) => pattern.test(entry))) return;
    const stat = fs.lstatSync(entry, { throwIfNoEntry: false });
    // A host may still be tidying up behind us.
    if (!stat) return;
    seen.set(entry, describe(entry, stat));
    if (!stat.isDirectory()) return;
    for (const name of fs.readdirSync(entry).sort()) visit(path.join(entry, name));
  };
  roots.forEach(visit);
  return seen;
}

function describe(entry, stat) {
  const mode = (stat.mode & 0o777).toString(8);
  if (stat.isDirectory()) return 'directory';
  if (stat.isSymbolicLink()) return `link to ${fs.readlinkSync(entry)}`;
  if (!stat.isFile()) return 'special';
  const digest = crypto.createHash('sha256').update(fs.readFileSync(entry)).digest('hex');
  return `file ${mode} ${digest}`;
}

/** The paths that differ, each with what happened to it. */
export function differences(before, after) {
  const paths = [...new Set([...before.keys(), ...after.keys()])].sort();
  return paths.flatMap((entry) => {
    if (before.get(entry) === after.get(entry)) return [];
    if (!after.has(entry)) return [`${entry} is gone`];
    return [`${entry} ${before.has(entry) ? 'changed' : 'is new'}`];
  });
}
