// Random questions that only live rounds ask: odder than what is kept, and
// other ones in every round. See `useRound` in cases.mjs.
//
// Names, texts and rules are picked from what has gone wrong somewhere: links,
// percent signs, blanks, scripts, line ends, marks in the middle of Markdown.

import { count, randomFrom } from './cases.mjs';

const BOM = '\uFEFF';
const NBSP = '\u00A0';
const HOME = '/T/home';
const GLOBAL = '/T/home/.gemini';
const PRIVATE = '/T/home/.gemini/tmp/proj/memory';

const file = (path, text) => ({ path, text });
const link = (path, target) => ({ path, link: target });
const dir = (path) => ({ path, dir: true });
const some = (rng, low, high, make) => count(rng.between(low, high)).map(make);

// One entry for each path, and none below what is no directory.
function settled(entries) {
  const kept = new Map();
  for (const entry of entries) {
    const above = [...entry.path.matchAll(/\//g)].slice(1).map(({ index }) => entry.path.slice(0, index));
    const isBelowFile = above.some((path) => kept.has(path) && !kept.get(path).dir);
    const isAbove = [...kept.keys()].some((path) => path.startsWith(`${entry.path}/`));
    if (isBelowFile || kept.has(entry.path) || (isAbove && !entry.dir)) continue;
    kept.set(entry.path, entry);
  }
  return [...kept.values()];
}

// ------------------------------------------------------------------- flatten

const EDGES = ['', '', ' ', '\n', '\t', '\r\n', BOM, NBSP, '\u0085', '\u200B', '\u2028', '\u3000', '\u000B', '\u180E', '\0'];
const BITS = ['a', '记住', '😀', '--- Project ---', '\n\n', ' ', '</project_context>', '# H', '\u2029', '@x.md', "$&"];

export function flattenCase(seed) {
  const rng = randomFrom(seed);
  const text = () => rng.pick(EDGES) + some(rng, 0, 4, () => rng.pick(BITS)).join(rng.pick(EDGES)) + rng.pick(EDGES);
  const input = {};
  for (const key of ['global', 'extension', 'project', 'userProjectMemory']) {
    if (rng.chance(0.7)) input[key] = text();
  }
  return { name: `wild ${seed}`, input };
}

// ------------------------------------------------------------------- imports

const STEMS = ['b', 'c', 'd e', '漢字', '😀', 'x%20y', 'x%2Fy', '100%', 'é', 'UP', '.hid', 'a#b', "q'", '~', '-', '..n', 'long'.repeat(12)];
const KINDS = ['.md', '.md', '.md', '.txt', '.MD', '', '.rs'];
const PLACES = ['', '', 'sub/', 'sub/deep/', 'docs/', '.x/'];
const LEADS = ['', '', ' ', '\n', '\t', '- ', '* ', '1. ', '> ', '# ', '| ', '<!-- ', '[t](', '**', '(', '"', ':', `a${NBSP}`, BOM, '\r\n', '    ', '\n    ', '`', '``', '\n```\n', '\n~~~\n', '<b>', '\\', 'x', '，', '😀'];
const TAILS = ['', '', ' ', '\n', '\r\n', ',', '.', ')', '**', ' -->', '`', '``', '\n```\n', '\n~~~\n', ' |', '"', '，', '。', ';', ':', '@', '\u3000'];
const ODD = ['@nope.md', '@Param', '@org/x', '@../out.md', '@sub', '@.', '@..', '@/', '@~/x', '@7', 'a@b.md', '@https://x.invalid/a.md', '@file:///T/p/b.md', '@@b.md', '@./', '@.//b.md', '@sub/../b.md', '@/T/outside/s.md', '@b.md/', '@b.md#x'];

function spelled(rng, from, to) {
  const up = '../'.repeat(from.split('/').length - 1);
  const near = to.startsWith(from.replace(/[^/]*$/, '')) ? to.slice(from.replace(/[^/]*$/, '').length) : up + to;
  return `@${rng.pick([near, `./${near}`, `/T/p/${to}`, up + to, `./x/../${near}`])}`;
}

function markdown(rng, from, names, low, high) {
  return some(rng, low, high, () => {
    const token = rng.chance(0.6) ? spelled(rng, from, rng.pick(names)) : rng.pick([...ODD, 'words', '记住 rules', '']);
    return rng.pick(LEADS) + token + rng.pick(TAILS);
  }).join(rng.pick(['', ' ', '\n', '\r\n']));
}

export function importCase(seed) {
  const rng = randomFrom(seed);
  const names = some(rng, 2, 6, () => rng.pick(PLACES) + rng.pick(STEMS) + rng.pick(KINDS));
  const files = names.map((name) => {
    const path = `/T/p/${name}`;
    const roll = rng.below(12);
    if (roll === 0) return link(path, rng.pick(names));
    // What a percent sign does to a link is asked by hand-written cases.
    if (roll === 1 && !name.includes('%')) return link(path, '/T/outside/s.md');
    if (roll === 2) return link(path, `/T/p/${rng.pick(names)}`);
    if (roll === 3) return { path, base64: Buffer.from([0x61, 0xff, 0x20, 0xe2, 0x82, 0x0a]).toString('base64') };
    return file(path, rng.pick(['', '', BOM]) + markdown(rng, name, names, 0, 5));
  });
  // A path that leaves the root and a link that leads back: see the hand-written case.
  const hasLinks = files.some((entry) => entry.link !== undefined);
  const top = `${rng.pick(PLACES)}top.md`;
  const base = `/T/p/${top}`.replace(/\/[^/]*$/, '');
  return {
    name: `wild ${seed}`,
    files: settled([dir('/T/p/.git'), dir(base), file('/T/outside/s.md', 'outside\n'), file('/T/out.md', 'out\n'), ...files]),
    input: {
      text: markdown(rng, top, names, 2, 9),
      base,
      markers: hasLinks ? ['.git'] : rng.pick([['.git'], ['.git'], ['.git'], [], ['.hg'], ['.hg', '.git']]),
      format: rng.chance(0.3) ? 'flat' : 'tree',
    },
  };
}

// --------------------------------------------------------------------- trees

const DIRS = ['a', 'b', 'B', '漢字', '😀', 'with space', 'é', '.cfg', '.gemini', '10', '9', 'src', 'dist', 'node_modules', 'target', 'GEMINI', 'a.b', '-x', '_x', '#h', '!n', '[c]', 'x*'];
const NAMES = [[], [], ['AGENTS.md'], ['ZED.md', 'AGENTS.md'], ['GEMINI.md', 'AGENTS.md'], ['.ai/GUIDE.md'], ['规则.md'], ['a b.md', 'GEMINI.md']];
const MARKERS = [['.git'], ['.git'], ['.git'], ['.hg', '.git'], ['package.json', '.git'], []];
const ADVICE = ['Prefer short functions.', '先运行测试。', 'Écrire en français.', 'Ship on Friday 😀', '# Title\n\n- item\n', '`code`', '> quote', '<b>bold</b>'];

function memoryText(rng) {
  const end = rng.pick(['\n', '\n', '', '\r\n', '\n\n', ' ']);
  const extra = rng.chance(0.25) ? `${end}@${rng.pick(['note.md', './note.md', 'sub/none.md', '../note.md', 'GEMINI.md', '/T/p/note.md'])}${end}` : '';
  return rng.pick(['', '', '', BOM, '\n']) + `${rng.pick(ADVICE)} ${rng.below(1000)}` + extra + end;
}

function memoryEntry(rng, path, known) {
  const roll = rng.below(24);
  if (roll === 0) return file(path, '');
  if (roll === 1) return file(path, rng.pick([' \n', BOM, '\r\n']));
  if (roll === 2) return { path, base64: Buffer.from([0x61, 0xff, 0x62, 0xc3]).toString('base64') };
  if (roll === 3) return link(path, rng.pick(['gone.md', '/T/outside/s.md', '.', path.split('/').at(-1)]));
  if (roll === 4) return dir(path);
  if (roll < 8 && known.length > 0) return link(path, rng.pick(known));
  return file(path, memoryText(rng));
}

function tree(rng, top, low, high) {
  const dirs = [top];
  for (const _ of count(rng.between(low, high))) {
    const parent = rng.chance(0.5) ? dirs.at(-1) : rng.pick(dirs);
    const made = `${parent}/${rng.pick(DIRS)}`;
    if (!dirs.includes(made)) dirs.push(made);
  }
  return dirs;
}

function session(rng, { low, high, share }) {
  const configured = rng.pick(NAMES);
  const names = [...new Set([...configured, 'GEMINI.md'])];
  const top = rng.pick(['/T/p', '/T/p', '/T/home/w', '/T/漢 字']);
  const dirs = tree(rng, top, low, high);
  const entries = [dir(HOME), ...dirs.map(dir), file('/T/outside/s.md', 'outside\n')];
  const known = [];
  for (const place of [...dirs, GLOBAL, ...(rng.chance(0.3) ? [HOME, '/T'] : [])]) {
    for (const name of names) {
      if (!rng.chance(share)) continue;
      const entry = memoryEntry(rng, `${place}/${name}`, known);
      entries.push(entry);
      if (entry.text !== undefined) known.push(entry.path);
    }
    if (rng.chance(0.3)) entries.push(file(`${place}/note.md`, rng.pick(['a note\n', 'n @GEMINI.md', ''])));
  }
  const marked = rng.chance(0.7) ? top : rng.pick(dirs);
  if (rng.chance(0.85)) {
    entries.push(rng.pick([dir(`${marked}/.git`), dir(`${marked}/.git`), file(`${marked}/.git`, 'gitdir: x\n'), dir(`${marked}/.hg`), file(`${marked}/package.json`, '{}')]));
  }
  if (rng.chance(0.4)) entries.push(rng.pick([file(`${PRIVATE}/MEMORY.md`, memoryText(rng)), link(`${PRIVATE}/MEMORY.md`, 'gone.md'), file(`${PRIVATE}/MEMORY.md`, '')]));
  if (rng.chance(0.3)) entries.push(file(`${PRIVATE}/GEMINI.md`, 'Private legacy.\n'));
  const extensions = ['m', 'K', '漢'].filter(() => rng.chance(0.3)).map((name) => `/T/ext/${name}/GEMINI.md`);
  for (const path of extensions) if (rng.chance(0.85)) entries.push(file(path, memoryText(rng)));
  if (rng.chance(0.25)) entries.push(link(`${rng.pick(dirs)}/lnk`, rng.pick([...dirs, '/T/outside'])));
  const input = {
    cwd: dirs[0],
    home: HOME,
    names: configured,
    markers: rng.pick(MARKERS),
    trusted: rng.chance(0.93),
    extensions: rng.chance(0.5) ? extensions.reverse() : extensions,
    includeDirs: [],
    importFormat: rng.chance(0.2) ? 'flat' : 'tree',
    projectId: 'proj',
  };
  return { entries, dirs, names, input };
}

export function tierCase(seed) {
  const rng = randomFrom(seed);
  const { entries, dirs, input } = session(rng, { low: 2, high: 7, share: 0.7 });
  input.cwd = rng.chance(0.6) ? dirs.at(-1) : rng.pick(dirs);
  input.includeDirs = rng.chance(0.4) ? [rng.pick(dirs), rng.pick([...dirs, '/T/none'])] : [];
  return { name: `wild ${seed}`, files: settled(entries), input };
}

export function jitCase(seed) {
  const rng = randomFrom(seed);
  const { entries, dirs, input } = session(rng, { low: 3, high: 7, share: 0.7 });
  input.cwd = rng.chance(0.7) ? dirs[0] : rng.pick(dirs);
  const place = rng.pick(dirs.slice(1).concat(dirs[0]));
  const accessed = rng.chance(0.3) ? place : `${place}/${rng.pick(['main.rs', 'GEMINI.md', 'no/such.rs', '新.rs'])}`;
  const trustedRoots = rng.chance(0.7) ? [input.cwd] : [input.cwd, rng.pick(dirs)];
  return { name: `wild ${seed}`, files: settled(entries), input: { ...input, accessed, trustedRoots } };
}

const RULES = ['a', 'b/', '/src', 'dist', 'dist/', '*.md', '!GEMINI.md', '!a', 'B', '漢字', '漢字/', '😀', '**/a', 'a/**', 'a/b', '!a/b', '.cfg', '# a', '', '/*', '!/src', 'é', 'with space', 'with\\ space', '\\#h', '\\!n', '[c]', '\\[c\\]', 'x\\*', '?', '[0-9]*', '*/b', '**', 'node_modules/', 'a.b', '!**/b/', 'GEMINI.md', '/a/', 'src/*', '*'];

function rules(rng) {
  const end = rng.pick(['\n', '\n', '\r\n']);
  return rng.pick(['', '', '', BOM]) + some(rng, 1, 4, () => rng.pick(RULES)).join(end) + rng.pick([end, '']);
}

export function eagerCase(seed) {
  const rng = randomFrom(seed);
  const { entries, dirs, names, input } = session(rng, { low: 3, high: 9, share: 0.5 });
  const cwd = rng.chance(0.6) ? dirs[0] : rng.pick(dirs.slice(0, 4));
  if (rng.chance(0.5)) entries.push(file(`${cwd}/.gitignore`, rules(rng)));
  if (rng.chance(0.4)) entries.push(file(`${cwd}/.geminiignore`, rules(rng)));
  if (rng.chance(0.4)) entries.push(file(`${rng.pick(dirs)}/.gitignore`, rules(rng)));
  const hasOwn = rng.chance(0.2);
  if (hasOwn) entries.push(file(`${cwd}/.aiignore`, rules(rng)));
  const { projectId, ...shared } = input;
  return {
    name: `wild ${seed}`,
    files: settled(entries),
    input: {
      ...shared,
      cwd,
      names,
      includeDirs: rng.chance(0.3) ? [rng.pick(dirs)] : [],
      loadFromIncludeDirs: rng.chance(0.7),
      // Which directories are left at a lower limit depends on the disk.
      maxDirs: 200,
      respectGitIgnore: rng.chance(0.7),
      respectGeminiIgnore: rng.chance(0.8),
      customIgnore: hasOwn ? ['.aiignore'] : [],
    },
  };
}

// ------------------------------------------------- registry, trust and inbox

const FOLDERS = ['app', 'App', 'My  App!', 'a.b_c', '--x--', '...', '1', 'x y', 'app-1', 'UPPER', 'a'.repeat(70), 'tab\tx', "q'q", 'été'];

export function registryCase(seed) {
  const rng = randomFrom(seed);
  const folder = () => `/T/${rng.pick(['w', 'v', 'w/x'])}/${rng.pick(FOLDERS)}`;
  const slug = () => rng.pick(['app', 'app-1', 'app-2', 'x', 'x-y', 'other', 'a-b-c', '1']);
  const asked = some(rng, 1, 4, folder);
  const entries = [dir(GLOBAL)];
  if (rng.chance(0.6)) {
    const projects = Object.fromEntries(some(rng, 0, 3, () => [rng.chance(0.5) ? rng.pick(asked) : folder(), slug()]));
    entries.push(file(`${GLOBAL}/projects.json`, JSON.stringify({ projects }, null, rng.pick([2, 2, 0]))));
  }
  // Of two folders with one owner the original takes the one that the disk lists first.
  const owners = new Set();
  for (const name of new Set(some(rng, 0, 3, slug))) {
    const owner = rng.pick([rng.pick(asked), folder()]);
    if (owners.has(owner)) continue;
    owners.add(owner);
    for (const base of rng.pick([['tmp'], ['history'], ['tmp', 'history']])) {
      entries.push(file(`${GLOBAL}/${base}/${name}/.project_root`, owner + rng.pick(['', '', '\n'])));
    }
  }
  return { name: `wild ${seed}`, files: settled(entries), input: { ask: asked } };
}

export function trustCase(seed) {
  const rng = randomFrom(seed);
  const folder = () => `/T/${rng.pick(['w', 'v', 'with "quotes"', '文件', 'w/x', 'sp ace', '😀', "q'"])}`;
  const level = () => rng.pick(['TRUST_FOLDER', 'TRUST_PARENT', 'DO_NOT_TRUST']);
  const entries = [dir(GLOBAL)];
  if (rng.chance(0.6)) {
    const known = Object.fromEntries(some(rng, 0, 4, () => [folder(), level()]));
    entries.push(file(`${GLOBAL}/trustedFolders.json`, JSON.stringify(known, null, 2)));
  }
  return { name: `wild ${seed}`, files: entries, input: { rules: some(rng, 1, 5, () => [folder(), level()]) } };
}

// Indexes and patches to them: most fit, some do not.
export function inboxCase(seed) {
  const rng = randomFrom(seed);
  const MEMORY = '/T/home/.gemini/tmp/app/memory';
  const patchFile = `${MEMORY}/.inbox/private/extraction.patch`;
  const lines = some(rng, 0, 9, () => `- ${rng.pick(['old', '记住', '😀', 'a b', '-- x', '++ y', '@@ -1 +1 @@'])} ${rng.below(90)}`);
  const isNew = lines.length === 0;
  const added = some(rng, 1, 3, () => `- ${rng.pick(['new', '新', '-- a', '++ b', ''])} ${rng.below(90)}`);
  const target = isNew ? rng.pick(['MEMORY.md', 'topic.md', '主题.md', 'with space.md']) : 'MEMORY.md';
  const at = rng.below(lines.length + 1);
  const before = lines.slice(Math.max(0, at - rng.between(0, 3)), at);
  const after = lines.slice(at, at + rng.between(0, 3));
  const removed = !isNew && rng.chance(0.3) && after.length > 0 ? [after.shift()] : [];
  const from = at - before.length;
  const n_old = before.length + removed.length + after.length;
  const n_new = before.length + added.length + after.length;
  const start = (first, n) => (n === 0 ? first : first + 1);
  const body = [
    ...before.map((line) => ` ${line}`), ...removed.map((line) => `-${line}`),
    ...added.map((line) => `+${line}`), ...after.map((line) => ` ${line}`),
  ];
  const name = `${MEMORY}/${target}`;
  let patch = [
    `--- ${isNew ? '/dev/null' : name}`, `+++ ${name}`,
    `@@ -${start(from, n_old)},${n_old} +${start(from, n_new)},${n_new} @@`, ...body, '',
  ].join('\n');
  const entries = [file(patchFile, patch)];
  if (!isNew) entries.push(file(name, `${lines.join('\n')}\n`));
  else if (target !== 'MEMORY.md' && rng.chance(0.7)) entries.push(file(`${MEMORY}/MEMORY.md`, '# Index\n'));
  return { name: `wild ${seed}`, files: entries, input: { memory: MEMORY } };
}

// ------------------------------------------------------------------ programs

const WORDS = ['cargo', 'test', '/usr/bin/make', 'A=1', 'B=', '"a b"', "'x y'", '`date`', '$(x)', '->', '|', '&&', 'run_shell_command:', 'paths', 'validated', 'validation', 'failed', 'é', '漢', '-x', '--y=z', 'a/b', 'C:\\x.exe', ';', '"', "'", '9', '_a=b', '\\ ', 'x://y', '.', '..', 'ok:1.2'];
const GAPS = [' ', ' ', ' ', '  ', '\t', '', '\n', NBSP];

export function programCase(seed) {
  const rng = randomFrom(seed);
  return { name: `wild ${seed}`, input: some(rng, 1, 8, () => rng.pick(WORDS) + rng.pick(GAPS)).join('') };
}

// ------------------------------------------------------------------ sessions

const IDS = ['m0', 'm1', 'm2', '__proto__', 'constructor', 'toString', '0', '10', 'é', '漢', '😀', 'a"b', 'a\\b', 'a\nb', 'M0', ' m0', 'x'.repeat(40)];
const SAID = ['hi', '', ' ', '/help', '?', 'é 漢字 😀', 'a\tb', '<session_context>x', '<hook_context>', '</script>', '\u0000', '\u007f', BOM, '{"id":"m9"}', '$set'];
const STRAY = ['garbage', '{', '}', '[]', '7', 'null', 'true', '"x"', '{}', '{"id":"m0"', '{"id":"m1"}}', '{"id":"m0",}', '{"$set":{}}', '{"$rewindTo":"nowhere"}', '{"$rewindTo":""}', '{"type":"user","content":"no id"}', '\t', ' ', '// note', '{"id":"m0","id":"m1","type":"user","content":"two ids"}', '{"\\u0069d":"m2","type":"user","content":"escaped"}'];

function sessionMessage(rng) {
  const id = rng.pick(IDS);
  const part = () => rng.pick([
    () => ({ text: rng.pick(SAID) }),
    () => ({ text: rng.pick(SAID), thought: true }),
    () => ({ functionCall: { id: `c${rng.below(3)}`, name: rng.pick(['ls', 'cat', '__proto__']), args: { path: rng.pick(SAID) } } }),
    () => ({ functionResponse: { id: `c${rng.below(3)}`, name: 'ls', response: { output: rng.pick(SAID) } } }),
    () => ({ inlineData: { mimeType: 'image/png', data: 'AAAA' } }),
  ])();
  const content = rng.chance(0.5) ? rng.pick(SAID) : some(rng, 0, 3, part);
  const type = rng.pick(['user', 'user', 'gemini', 'gemini', 'info', 'error', 'warning', 'tool']);
  const message = { id, timestamp: '2026-08-21T10:01:00.000Z', type, content };
  if (type === 'gemini' && rng.chance(0.3)) message.thoughts = [{ subject: 's', description: rng.pick(SAID) }];
  if (type === 'gemini' && rng.chance(0.4)) {
    message.toolCalls = some(rng, 1, 2, () => ({
      id: `c${rng.below(3)}`, name: 'ls', args: {}, status: rng.pick(['success', 'error', 'cancelled']),
      result: rng.pick([null, 'out', [{ functionResponse: { id: 'c0', name: 'ls', response: { output: 'x' } } }]]),
    }));
  }
  if (rng.chance(0.2)) message.extra = rng.pick([{ deep: [[[1]]] }, -0, 1e300, 12345678901234, 0.1, '\u2066', { __proto: 1 }]);
  return message;
}

export function sessionCase(seed) {
  const rng = randomFrom(seed);
  const header = {
    sessionId: rng.pick(['s-1', 's', '漢', '__proto__']), projectHash: 'p',
    startTime: '2026-08-21T10:00:00.000Z', lastUpdated: '2026-08-21T10:00:00.000Z',
  };
  const record = () => rng.pick([
    () => JSON.stringify(sessionMessage(rng)), () => JSON.stringify(sessionMessage(rng)), () => JSON.stringify(sessionMessage(rng)),
    () => JSON.stringify({ $rewindTo: rng.pick(IDS) }),
    () => JSON.stringify({ $set: { messages: some(rng, 0, 4, () => sessionMessage(rng)) } }),
    () => JSON.stringify({ $set: rng.pick([{ summary: rng.pick(SAID) }, { lastUpdated: '2026-08-22T10:00:00.000Z' }, { directories: ['/a', '漢'] }, { kind: 'subagent' }, { memoryScratchpad: { version: 1, toolSequence: ['ls'] } }, { unknown: 1 }, {}]) }),
    () => rng.pick(STRAY),
    () => JSON.stringify(header),
  ])();
  const lines = [rng.chance(0.95) ? JSON.stringify(header) : record(), ...some(rng, 0, 12, record)];
  const ends = rng.pick([['\n'], ['\n'], ['\r\n'], ['\n', '\r\n', '\n\n', '\n \n']]);
  const text = lines.map((line) => line + rng.pick(ends)).join('');
  const cut = rng.below(4) === 0 ? [...text].slice(0, rng.below([...text].length + 1)).join('') : text;
  return { name: `wild ${seed}`, input: cut };
}
