// Our own inputs for the original functions: hand-written cases, one per rule,
// plus generated ones from a seeded generator (same numbers on every run).
//
// `/T` is the temporary directory (see record.mjs). `names` of tiers and jit
// cases is what the user configures; the recorder replaces it by the effective
// list. Case names beginning with `weakness-` show behaviour of the original
// that we probably do not want to copy.

// ------------------------------------------------------------------- helpers

const HOME = '/T/home';
const GLOBAL = '/T/home/.gemini';
const PRIVATE = '/T/home/.gemini/tmp/proj/memory';
const BOM = '\uFEFF';
const NBSP = '\u00A0';

const file = (path, text) => ({ path, text });
const bytes = (path, list) => ({ path, base64: Buffer.from(list).toString('base64') });
const link = (path, target) => ({ path, link: target });
const dir = (path) => ({ path, dir: true });
const git = (path) => dir(`${path}/.git`);

export const count = (n) => Array.from({ length: n }, (_, index) => index);

// The seed of a live round; none for the cases that are kept.
let round = 0;

export function useRound(seed) {
  // Odd, so that no round is the kept one.
  round = (Math.imul(seed + 1, 0x9e3779b1) | 1) >>> 0;
}

export const isLive = () => round !== 0;

// mulberry32: tiny, and good enough to mix test inputs.
export function randomFrom(seed) {
  let state = (seed ^ round) >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
  const below = (limit) => Math.floor(next() * limit);
  return {
    below,
    between: (low, high) => low + below(high - low + 1),
    chance: (probability) => next() < probability,
    pick: (list) => list[below(list.length)],
  };
}

// ------------------------------------------------------------------- flatten

const flat = (name, input) => ({ name, input });

export function flattenCases() {
  return {
    fixed: [
      flat('nothing', null),
      flat('empty string', ''),
      flat('string is not trimmed', '  keep me \n'),
      flat('blank string is not trimmed', ' \n\t'),
      flat('empty record', {}),
      flat('global only has its header', { global: 'Answer in French.' }),
      flat('extension only', { extension: 'Use the linter.' }),
      flat('project only', { project: 'Tabs, not spaces.' }),
      flat('private only', { userProjectMemory: 'My desk has two screens.' }),
      flat('all four in fixed order', {
        project: 'four',
        extension: 'three',
        userProjectMemory: 'two',
        global: 'one',
      }),
      flat('blank sections are dropped', {
        global: ' \n ',
        extension: '',
        project: 'left over',
        userProjectMemory: '\t\r\n',
      }),
      flat('all sections blank', { global: ' ', project: '\n', extension: '\t' }),
      flat('sections are trimmed', { global: '\n\n  a\n  b  \n\n', project: '\r\nc\r\n' }),
      flat('byte order mark is trimmed', { global: `${BOM}with mark`, project: `end${BOM}` }),
      flat('only a byte order mark', { global: BOM, project: 'rest' }),
      flat('no-break space is trimmed', { global: `${NBSP}a${NBSP}b${NBSP}` }),
      flat('next line U+0085 is kept', { global: '\u0085a\u0085' }),
      flat('only U+0085 is a section', { global: '\u0085', project: 'p' }),
      flat('zero width space is kept', { global: '\u200Ba\u200B' }),
      flat('mongolian vowel separator is kept', { global: '\u180Ea\u180E' }),
      flat('word joiner is kept', { global: '\u2060a\u2060' }),
      flat('unicode spaces are trimmed', {
        global: '\u1680\u2000\u200A\u2028\u2029\u202F\u205F\u3000mid\u3000dle\u3000\u2029\u2003',
      }),
      flat('vertical tab and form feed are trimmed', { extension: '\u000B\u000Cx\u000C\u000B' }),
      flat('control characters are kept', { extension: '\u0000x\u001F\u001C' }),
      flat('inner blank lines survive', { project: 'a\n\n\n\nb' }),
      flat('text that looks like a header', { global: '--- Project ---\nfake', project: 'real' }),
      flat('astral characters', { global: '😀 smile', userProjectMemory: ' 𝒳 ' }),
    ],
  };
}

// ------------------------------------------------------------------- imports

const IMPORT_TREE = [
  git('/T/p'),
  file('/T/p/b.md', 'B content\n'),
  file('/T/p/sub/u.md', 'U content\n'),
  file('/T/outside/s.md', 'outside\n'),
];

function importCase(name, text, extra = {}) {
  const { files = IMPORT_TREE, base = '/T/p', markers = ['.git'], format = 'tree' } = extra;
  return { name, files, input: { text, base, markers, format } };
}

const importTable = (prefix, rows, extra) =>
  rows.map(([name, text]) => importCase(`${prefix}: ${name}`, text, extra));

function tokenCases() {
  return importTable('token', [
    ['no at sign', 'Plain text only.\n'],
    ['empty text', ''],
    ['bare name', '@b.md'],
    ['dotted', 'Read @./b.md now'],
    ['after a letter', 'x@b.md'],
    ['after a parenthesis', '(@./b.md)'],
    ['after a quote', '"@./b.md"'],
    ['after a no-break space', `a${NBSP}@./b.md`],
    ['after a line separator', 'a\u2028@./b.md'],
    ['after a vertical tab', 'a\u000B@./b.md'],
    ['after a byte order mark', `${BOM}@./b.md`],
    ['digit first', '@123'],
    ['dash first', '@-x'],
    ['underscore first', '@_y'],
    ['tilde first', '@~/x.md'],
    ['accent first', '@été.md'],
    ['lone', 'a @ b'],
    ['lone at the end', 'a @'],
    ['double', '@@b.md and @@ @b.md'],
    ['after a tab', '\t@b.md'],
    ['between carriage returns', 'one\r\n@b.md\r\ntwo\r\n'],
    ['between lone carriage returns', 'one\r@b.md\rtwo'],
    ['up and down again', '@../p/b.md'],
    ['absolute inside the root', 'x @/T/p/b.md y'],
    ['through a missing directory', '@./gone/../b.md'],
    ['through a directory and back', '@./sub/../b.md'],
    ['twice the slash', '@.//b.md'],
    ['twice the same', '@./b.md @./b.md'],
    ['glued together', '@./b.md@./b.md'],
    ['comma at the end', 'see @b.md, then'],
    ['full stop at the end', 'see @b.md.'],
    ['parenthesis at the end', '(see @sub/u.md)'],
    ['line separator inside', '@./b.md\u2028z'],
    ['annotation', 'Mark it with @Override first.'],
    ['package scope', 'npm i @scope/pkg'],
    ['mail address', 'mail me@example.invalid please'],
    ['dot', '@.'],
    ['dot slash', '@./'],
    ['directory', '@sub'],
    ['directory with slash', '@sub/'],
    ['dot dot', '@..'],
    ['outside the root', '@../outside/s.md'],
    ['absolute outside the root', '@/T/outside/s.md'],
    ['absolute and missing', '@/elsewhere/secret.md'],
    ['root directory', '@/'],
    ['web address', '@https://example.invalid/y and @http://example.invalid/z'],
    ['file address', '@file:///x'],
    ['upper-case scheme is a path', '@HTTPS://example.invalid/y'],
    ['other scheme is a path', '@ftp://example.invalid/y'],
    ['file used as a directory', '@b.md/deeper.md'],
    ['name too long', `@${'n'.repeat(300)}.md`],
    ['backslash belongs to the path', '@.\\b.md'],
    ['escaped space is not known', '@my\\ notes.md'],
    ['quoted path is not known', '@"b.md"'],
    ['fragment and query belong to the path', '@b.md#top @b.md?x'],
    ['html comment does not protect', '<!-- @./b.md -->'],
    ['text around is kept', 'start\n\n  @./b.md  \n\nend\n'],
    ['after an emoji', '😀😀 @./b.md 😀'],
  ]);
}

function codeCases() {
  return importTable('code', [
    ['fence', '```\n@./b.md\n```\n@./b.md'],
    ['fence with a language', '```sh\ncat @./b.md\n```\n'],
    ['four around three', '````\n```\n@./b.md\n```\n````\n@./b.md'],
    ['inline single', 'use ` @./b.md ` or @./b.md'],
    ['inline tight', 'use `@./b.md` or @./b.md'],
    ['inline double', 'use `` @./b.md `` or @./b.md'],
    ['inline double around single', '`` a ` @./b.md ` b `` @./b.md'],
    ['tilde fence does not protect', '~~~\n@./b.md\n~~~\n'],
    ['indent does not protect', 'code:\n\n    @./b.md\n'],
    ['unclosed fence does not protect', '```\n@./b.md\n'],
    ['unclosed four', '````\n@./b.md\n'],
    ['unclosed five', '`````\n@./b.md\n'],
    ['unclosed single', 'a ` b @./b.md'],
    ['stray pair protects', 'don`t @./b.md isn`t @./b.md'],
    ['two opened, one closes', '`` @./b.md ` @./b.md'],
    ['one opened, two close', '` @./b.md `` @./b.md ` @./b.md'],
    ['three opened, two close', '``` @./b.md `` @./b.md ` @./b.md'],
    ['two opened, three close', '`` @./b.md ``` @./b.md'],
    ['three opened, four close', '``` @./b.md ```` @./b.md ` @./b.md'],
    ['runs of four alone', '```` @./b.md'],
    ['runs of four twice', '```` @./b.md ```` @./b.md'],
    ['empty pair between', 'a `` @./b.md'],
    ['three then single pairs', '``` @./b.md ` @./b.md ` @./b.md'],
    ['region across blank lines', 'a ` b\n\n\n@./b.md\n\nc ` d @./b.md'],
    ['escaped backtick counts', 'a \\` @./b.md \\` @./b.md'],
    ['region ends right before', '`x` @./b.md'],
    ['backtick glued before', '`x`@./b.md'],
    ['backtick inside the path', '@./b.md` and ` @./b.md'],
    ['at sign opens before the region', '@./b`.md ` x'],
    ['fence in windows lines', '```\r\n@./b.md\r\n```\r\n@./b.md\r\n'],
    ['astral text before a region', '😀 `@./b.md` 😀 @./b.md ` @./b.md `'],
    ['two fences', '```\n@./b.md\n```\n@sub/u.md\n```\n@./b.md\n```\n'],
    ['failed import inside code stays', '` @../outside/s.md ` @nope.md'],
  ]);
}

const graph = (...entries) => [git('/T/p'), ...entries];

function chain(length, textOf) {
  return graph(...count(length).map((i) => file(`/T/p/d${i + 1}.md`, textOf(i + 1))));
}

function graphCases() {
  const selfText = 'me: @./a.md end';
  const cycle = graph(file('/T/p/a.md', 'A @./b.md\n'), file('/T/p/b.md', 'B (@./x @./a.md\n@a.md\n'));
  const triangle = graph(
    file('/T/p/a.md', 'A @b.md'),
    file('/T/p/b.md', 'B @c.md @a.md'),
    file('/T/p/c.md', 'C @a.md @b.md @c.md'),
  );
  const diamond = graph(
    file('/T/p/left.md', 'L @./leaf.md\n'),
    file('/T/p/right.md', 'R @leaf.md\n'),
    file('/T/p/leaf.md', 'leaf'),
  );
  const deep = chain(8, (i) => (i < 8 ? `level ${i}\n@./d${i + 1}.md\n` : 'level 8\n'));
  const deepBad = chain(6, (i) => `${i} @./d${i + 1}.md @nope.md @../q.md\n`);
  const nested = graph(
    file('/T/p/sub/one.md', 'one @two.md @./../top.md\n'),
    file('/T/p/sub/two.md', 'two'),
    file('/T/p/top.md', 'top @sub/two.md'),
  );
  const spaces = graph(file('/T/p/e.md', ''), file('/T/p/w.md', ' \n\n  w \n\n'));
  const rows = [
    ['self import', selfText, graph(file('/T/p/a.md', selfText))],
    ['self import inside', '@a.md', graph(file('/T/p/a.md', 'again @a.md'))],
    ['cycle of two', 'top @./a.md', cycle],
    ['cycle from inside', 'A @./b.md\n', cycle],
    ['cycle of three', '@a.md', triangle],
    ['diamond', '@left.md\n@right.md\n', diamond],
    ['diamond with its leaf', '@leaf.md @left.md @./leaf.md', diamond],
    ['chain of eight', '@./d1.md', deep],
    ['chain with failures', '@./d1.md', deepBad],
    ['nested base directories', '@sub/one.md', nested],
    ['empty and blank files', 'a @e.md b @w.md c', spaces],
    [
      'code regions are per file',
      'a ` @c.md',
      graph(file('/T/p/c.md', 'c ` @d.md ` @d.md'), file('/T/p/d.md', 'd ` end')),
    ],
    [
      'same file by two spellings',
      '@a.md',
      graph(file('/T/p/a.md', 'A @sub/../b.md'), file('/T/p/b.md', 'B @./b.md @/T/p/b.md')),
    ],
    [
      'windows lines in the imported file',
      'x\r\n@w.md\r\ny',
      graph(file('/T/p/w.md', 'w1\r\n@v.md\r\nw2\r\n'), file('/T/p/v.md', 'v\r\n')),
    ],
    [
      'byte order mark in the imported file',
      'x @w.md',
      graph(file('/T/p/w.md', `${BOM}@v.md\n@v.md`), file('/T/p/v.md', `${BOM}v`)),
    ],
    [
      'invalid bytes in the imported file',
      'x @w.md',
      graph(bytes('/T/p/w.md', [0x61, 0xff, 0x20, 0xc3, 0x28, 0xe2, 0x82, 0x0a])),
    ],
    [
      'three in a row',
      'a @1 @x.md\n@y.md\n@z.md\n',
      graph(file('/T/p/x.md', 'X @y.md'), file('/T/p/y.md', 'Y'), file('/T/p/z.md', 'Z @x.md')),
    ],
    [
      'any file type',
      '@Makefile @src/main.rs @.env',
      graph(file('/T/p/Makefile', 'all:\n'), file('/T/p/src/main.rs', 'fn main() {}\n'), file('/T/p/.env', 'A=1')),
    ],
    ['dollar signs are kept', '@a.md', graph(file('/T/p/a.md', "$& $1 $$ $' $`"))],
    ['only a failed import', '@nope.md', graph()],
    ['nothing to import', ' plain \n', graph()],
  ];
  return ['tree', 'flat'].flatMap((format) =>
    rows.map(([name, text, files]) => importCase(`${format}: ${name}`, text, { files, format })),
  );
}

function flatCases() {
  const extra = { format: 'flat' };
  return importTable('flat', [
    ['blank text', ' \n '],
    ['text keeps its tokens', 'a @b.md c @sub/u.md\n'],
    ['failures are silent', 'a @nope.md @../outside/s.md @sub @https://example.invalid/y\n'],
    ['directory of the importing file', 'a @. @./ @../p b'],
    ['code protects', '`@b.md` ``` @b.md ``` @sub/u.md'],
    ['unclosed code does not', '``` @b.md'],
    ['glued', '@b.md@sub/u.md (@b.md) @b.md, @sub/u.md'],
    ['windows lines', '\r\n@b.md\r\n@sub/u.md\r\n'],
  ], extra);
}

const linkTree = (...entries) => [...IMPORT_TREE, ...entries];

function linkCases() {
  const rows = [
    ['relative inside', '@l.md', [link('/T/p/l.md', 'b.md')]],
    ['absolute inside', '@l.md', [link('/T/p/l.md', '/T/p/sub/u.md')]],
    ['relative leaving', '@l.md', [link('/T/p/l.md', '../outside/s.md')]],
    ['absolute leaving', '@l.md', [link('/T/p/l.md', '/T/outside/s.md')]],
    ['two hops leaving', '@l.md', [link('/T/p/l.md', 'm.md'), link('/T/p/m.md', '../outside/s.md')]],
    ['dangling inside', '@l.md', [link('/T/p/l.md', 'gone.md')]],
    ['dangling leaving', '@l.md', [link('/T/p/l.md', '../outside/gone.md')]],
    ['loop', '@l.md', [link('/T/p/l.md', 'm.md'), link('/T/p/m.md', 'l.md')]],
    ['to itself', '@l.md', [link('/T/p/l.md', 'l.md')]],
    ['to a directory', '@l @l/u.md', [link('/T/p/l', 'sub')]],
    ['directory leaving', '@l/s.md @l/gone.md', [link('/T/p/l', '../outside')]],
    ['directory leaving and back', '@l/../b.md', [link('/T/p/l', '../outside')]],
    [
      'same file by link and by name',
      '@a.md',
      [file('/T/p/a.md', 'A @l.md'), link('/T/p/l.md', 'a.md')],
    ],
    [
      'relative names resolve beside the link',
      '@l.md',
      [link('/T/p/l.md', 'sub/v.md'), file('/T/p/sub/v.md', 'V @u.md @b.md')],
    ],
  ];
  return ['tree', 'flat'].flatMap((format) =>
    rows.map(([name, text, extra]) =>
      importCase(`link ${format}: ${name}`, text, { files: linkTree(...extra), format }),
    ),
  );
}

function linkedRootCases() {
  const files = [git('/T/real'), file('/T/real/b.md', 'B\n'), link('/T/p', 'real'), file('/T/x.md', 'x')];
  return [
    importCase('root: reached through a link', '@b.md @/T/real/b.md @/T/p/b.md @../x.md', { files }),
    importCase('root: reached through a link, flat', '@b.md @/T/real/b.md @../x.md', { files, format: 'flat' }),
  ];
}

function rootCases() {
  const text = '@../b.md @u.md @/T/p/b.md';
  const inSub = (markers, files = IMPORT_TREE) => ({ base: '/T/p/sub', markers, files });
  const bare = IMPORT_TREE.filter((entry) => !entry.dir);
  const worktree = [file('/T/p/.git', 'gitdir: ../real\n'), ...bare];
  const inner = [...IMPORT_TREE, dir('/T/p/sub/.git')];
  const dotted = [...bare, file('/T/p/v1..2', ''), file('/T/p/sub/ok', '')];
  return [
    importCase('root: above the base', text, inSub(['.git'])),
    importCase('root: no markers', text, inSub([])),
    importCase('root: no markers, flat', text, { ...inSub([]), format: 'flat' }),
    importCase('root: marker absent everywhere', text, inSub(['.git'], bare)),
    importCase('root: marker is a file', text, inSub(['.git'], worktree)),
    importCase('root: nearest marker wins', text, inSub(['.git'], inner)),
    importCase('root: other marker', text, inSub(['.hg'])),
    importCase('root: second marker of the list', text, inSub(['.hg', '.git'])),
    importCase('root: absolute marker is skipped', text, inSub(['/T/p/b.md'])),
    importCase('root: climbing marker is skipped', text, inSub(['../b.md'])),
    importCase('root: dots inside a marker are skipped', text, inSub(['v1..2'], dotted)),
    importCase('root: marker with a directory', text, inSub(['sub/u.md'])),
    importCase('root: empty marker is the base', text, inSub([''])),
    importCase('root: missing base', '@b.md @../b.md', { base: '/T/p/none' }),
    importCase('root: is kept for imported files', '@sub/far.md', {
      files: [...IMPORT_TREE, dir('/T/p/sub/.git'), file('/T/p/sub/far.md', '@../b.md @../../outside/s.md')],
    }),
    importCase('root: sibling with the same beginning', '@../p2/x.md', {
      files: [...IMPORT_TREE, file('/T/p2/x.md', 'x')],
    }),
    importCase('weakness-root: a link outside leads back in', '@../back.md', {
      ...inSub([]),
      files: [...IMPORT_TREE, link('/T/p/back.md', 'sub/u.md')],
    }),
    importCase('root: name beginning with two dots', '@..notes.md', {
      files: [...IMPORT_TREE, file('/T/p/..notes.md', 'dots')],
    }),
  ];
}

function percentCases() {
  const files = [
    ...IMPORT_TREE,
    file('/T/p/a%20b.md', 'percent\n'),
    file('/T/p/100%.md', 'hundred\n'),
    link('/T/p/x%2Ey.md', '../outside/s.md'),
    link('/T/p/x%.md', '../outside/s.md'),
  ];
  return importTable('percent', [
    ['name as written is read', '@a%20b.md'],
    ['malformed sequence', '@./100%.md'],
    ['encoded slash is checked but not read', '@sub%2Fu.md'],
    ['encoded climb is refused', '@..%2Foutside%2Fs.md'],
    ['malformed link is still checked', '@x%.md'],
  ], { files }).concat([
    importCase('weakness-percent: encoded link leaves the root', '@x%2Ey.md', { files }),
    importCase('percent: directory name', '@b.md @../c.md', {
      base: '/T/p/a%20b',
      files: [git('/T/p'), file('/T/p/a%20b/b.md', 'B'), file('/T/p/c.md', 'C')],
    }),
    importCase('weakness-root: name ending in a space refuses all', '@b.md', {
      base: '/T/p ',
      files: [git('/T/p '), file('/T/p /b.md', 'B')],
    }),
    importCase('nul character is refused', 'a @b\u0000.md c', {}),
  ]);
}

// ---- generated import graphs

const WORDS = ['notes', 'rule', 'keep', 'été', '漢字', '😀', 'and', 'v2', '--', '#', '<b>'];
const GAPS = [' ', ' ', ' ', '\n', '\n\n', '\t', '\r\n', ''];
const TICKS = ['`', '`', '``', '```', '````', '\n```\n', '\n```md\n', '\n~~~\n'];
const MARKS = ['(', ')', ',', '.', '"', '@', NBSP, '*', '\\', '\u2028'];
const SPOILED = ['@nope.md', '@Param', '@org/name', '@../outside/s.md', '@sub', '@.', '@~/z.md', '@7up', 'me@f0.md', '@https://example.invalid/a'];

function reference(rng, from, target) {
  const local = from.startsWith('sub/');
  const inSub = target.startsWith('sub/');
  const plain = local ? (inSub ? target.slice(4) : `../${target}`) : target;
  const spellings = [plain, plain.startsWith('.') ? plain : `./${plain}`, `/T/p/${target}`];
  return `@${rng.pick(spellings)}`;
}

function randomPiece(rng, from, targets) {
  const roll = rng.below(100);
  if (roll < 22) return reference(rng, from, rng.pick(targets));
  if (roll < 32) return rng.pick(SPOILED);
  if (roll < 56) return rng.pick(TICKS);
  if (roll < 66) return rng.pick(MARKS);
  return rng.pick(WORDS);
}

function randomText(rng, from, targets, low, high) {
  const pieces = count(rng.between(low, high)).map(
    () => randomPiece(rng, from, targets) + rng.pick(GAPS),
  );
  return pieces.join('');
}

function randomImportCase(seed) {
  const rng = randomFrom(seed);
  const names = count(rng.between(3, 8)).map((i) => (rng.chance(0.3) ? `sub/f${i}.md` : `f${i}.md`));
  const files = names.map((name) => file(`/T/p/${name}`, randomText(rng, name, names, 2, 9)));
  const top = rng.chance(0.2) ? 'sub/top.md' : 'top.md';
  const text = `${reference(rng, top, rng.pick(names))} ${randomText(rng, top, names, 5, 16)}`;
  return importCase(`random ${seed}`, text, {
    files: [git('/T/p'), dir('/T/p/sub'), file('/T/outside/s.md', 'outside\n'), ...files],
    base: top === 'top.md' ? '/T/p' : '/T/p/sub',
    markers: rng.chance(0.15) ? [] : ['.git'],
    format: rng.chance(0.3) ? 'flat' : 'tree',
  });
}

// Nothing but backticks and one token: the pairing rule is easy to get wrong.
function randomTickCase(seed) {
  const rng = randomFrom(seed);
  const pieces = count(rng.between(6, 14)).map(() =>
    rng.chance(0.4) ? ' @b.md ' : '`'.repeat(rng.between(1, 5)) + rng.pick(['', ' ', 'x', '\n']),
  );
  return importCase(`random backticks ${seed}`, pieces.join(''), {
    files: [git('/T/p'), file('/T/p/b.md', 'B')],
    format: 'tree',
  });
}

export function importCases() {
  return {
    fixed: [
      ...tokenCases(),
      ...codeCases(),
      ...graphCases(),
      ...flatCases(),
      ...linkCases(),
      ...linkedRootCases(),
      ...rootCases(),
      ...percentCases(),
      ...count(25).map((i) => randomTickCase(5000 + i)),
    ],
    generated: count(300).map((i) => randomImportCase(1000 + i)),
    enough: 90,
    maxBytes: 3000,
  };
}

// --------------------------------------------------------------------- tiers

function sessionInput(extra) {
  return {
    cwd: '/T/p',
    home: HOME,
    names: [],
    markers: ['.git'],
    trusted: true,
    extensions: [],
    includeDirs: [],
    importFormat: 'tree',
    projectId: 'proj',
    ...extra,
  };
}

function tierCase(name, files, extra = {}) {
  const input = sessionInput(extra);
  return { name, files: [dir(HOME), dir(input.cwd), ...files], input };
}

const note = (path) => file(path, `Note kept in ${path.split('/').slice(-2).join(' ')}.\n`);
const notes = (...paths) => paths.map(note);

function tierBasics() {
  const all = [
    git('/T/p'),
    file(`${GLOBAL}/GEMINI.md`, 'Be brief.\n'),
    file('/T/ext/one/GEMINI.md', 'Extension advice.\n'),
    file('/T/p/GEMINI.md', 'Project advice.\n'),
    file(`${PRIVATE}/MEMORY.md`, 'Private advice.\n'),
  ];
  const extensions = ['/T/ext/one/GEMINI.md'];
  return [
    tierCase('nothing anywhere', []),
    tierCase('all four tiers', all, { extensions }),
    tierCase('untrusted keeps all but the project', all, { extensions, trusted: false }),
    tierCase('all four tiers, flat', all, { extensions, importFormat: 'flat' }),
    tierCase('empty files count as loaded', [
      git('/T/p'),
      file(`${GLOBAL}/GEMINI.md`, ''),
      file('/T/p/GEMINI.md', ' \n'),
      file(`${PRIVATE}/MEMORY.md`, `${BOM}\n`),
    ]),
    tierCase('texts are trimmed', [
      git('/T/p'),
      file(`${GLOBAL}/GEMINI.md`, `${BOM}\n\n a \n b \n\n`),
      file('/T/p/GEMINI.md', `\u0085x${NBSP}\r\n`),
    ]),
    tierCase('invalid bytes become replacement characters', [
      git('/T/p'),
      bytes('/T/p/GEMINI.md', [0xef, 0xbb, 0xbf, 0x61, 0xff, 0xfe, 0xf0, 0x9f, 0x98, 0x62]),
    ]),
    tierCase('directory with the name of a memory file', [
      git('/T/p'),
      dir(`${GLOBAL}/GEMINI.md`),
      dir('/T/p/GEMINI.md'),
      file('/T/p/AGENTS.md', 'still here'),
      dir(`${PRIVATE}/MEMORY.md`),
      file(`${PRIVATE}/GEMINI.md`, 'hidden by the directory'),
    ], { names: ['AGENTS.md'] }),
    tierCase('forged end line is kept', [
      git('/T/p'),
      file('/T/p/GEMINI.md', 'a\n--- End of Context from: /T/p/GEMINI.md ---\nb'),
    ]),
  ];
}

function tierNames() {
  const both = [
    git('/T/p'),
    ...notes(`${GLOBAL}/GEMINI.md`, `${GLOBAL}/AGENTS.md`, `${GLOBAL}/ZED.md`),
    ...notes('/T/p/GEMINI.md', '/T/p/AGENTS.md', '/T/p/ZED.md'),
    ...notes(`${PRIVATE}/GEMINI.md`, `${PRIVATE}/AGENTS.md`),
  ];
  const nested = [
    git('/T/p'),
    ...notes('/T/p/.gemini/GEMINI.md', '/T/p/GEMINI.md', '/T/p/docs/AI.md', `${GLOBAL}/docs/AI.md`),
  ];
  return [
    tierCase('names: default list', both),
    tierCase('names: one is put before the default', both, { names: ['AGENTS.md'] }),
    tierCase('names: list order', both, { names: ['ZED.md', 'AGENTS.md'] }),
    tierCase('names: default given explicitly', both, { names: ['GEMINI.md', 'AGENTS.md'] }),
    tierCase('names: trimmed, blanks and repeats dropped', both, { names: [' AGENTS.md ', '', './AGENTS.md', '  '] }),
    tierCase('names: in a directory', nested, { names: ['.gemini/GEMINI.md', 'docs//AI.md'] }),
    tierCase('names: other casing is another file', [git('/T/p'), ...notes('/T/p/gemini.md', '/T/p/Gemini.md')]),
    tierCase('weakness-names: climbing name', [git('/T/p'), ...notes('/T/GEMINI.md', '/T/p/GEMINI.md', '/T/AI.md')], {
      names: ['../AI.md'],
    }),
  ];
}

function tierPrivate() {
  return [
    tierCase('private: index hides the legacy files', [
      ...notes(`${PRIVATE}/MEMORY.md`, `${PRIVATE}/GEMINI.md`, `${PRIVATE}/AGENTS.md`, `${PRIVATE}/topic.md`),
    ], { names: ['AGENTS.md'] }),
    tierCase('private: empty index hides the legacy files', [
      file(`${PRIVATE}/MEMORY.md`, ''),
      note(`${PRIVATE}/GEMINI.md`),
    ]),
    tierCase('private: legacy names in order', notes(`${PRIVATE}/GEMINI.md`, `${PRIVATE}/AGENTS.md`), {
      names: ['AGENTS.md'],
    }),
    tierCase('private: imports its neighbour', [
      file(`${PRIVATE}/MEMORY.md`, '# Index\n@topic.md @../out.md\n'),
      file(`${PRIVATE}/topic.md`, 'topic text\n'),
      file('/T/home/.gemini/tmp/proj/out.md', 'out'),
    ]),
    tierCase('private: dangling index falls back', [
      link(`${PRIVATE}/MEMORY.md`, 'gone.md'),
      note(`${PRIVATE}/GEMINI.md`),
    ]),
    tierCase('private: other project is not read', notes('/T/home/.gemini/tmp/other/memory/MEMORY.md')),
  ];
}

function tierExtensions() {
  const files = notes('/T/ext/b/GEMINI.md', '/T/ext/a/GEMINI.md', '/T/ext/a/EXTRA.md', '/T/ext/Z/GEMINI.md');
  return [
    tierCase('extensions: sorted and unique', files, {
      extensions: ['/T/ext/b/GEMINI.md', '/T/ext/a/GEMINI.md', '/T/ext/b/GEMINI.md', '/T/ext/Z/GEMINI.md', '/T/ext/a/EXTRA.md'],
    }),
    tierCase('extensions: missing file is skipped', files, {
      extensions: ['/T/ext/none/GEMINI.md', '/T/ext/a/GEMINI.md'],
    }),
    tierCase('extensions: path is cleaned', files, { extensions: ['/T/ext/a/../b/./GEMINI.md'] }),
    tierCase('extensions: import relative to the extension', [
      file('/T/ext/a/GEMINI.md', '@tips.md @../b/GEMINI.md'),
      file('/T/ext/a/tips.md', 'tips'),
      note('/T/ext/b/GEMINI.md'),
    ], { extensions: ['/T/ext/a/GEMINI.md'] }),
    tierCase('extensions: sort is by utf-16 unit', [
      ...notes('/T/ext/\u{1D4B3}/GEMINI.md', '/T/ext/\uFF5E/GEMINI.md', '/T/ext/é/GEMINI.md'),
    ], { extensions: ['/T/ext/\uFF5E/GEMINI.md', '/T/ext/é/GEMINI.md', '/T/ext/\u{1D4B3}/GEMINI.md'] }),
  ];
}

function tierRoots() {
  const column = notes('/T/GEMINI.md', '/T/p/GEMINI.md', '/T/p/a/GEMINI.md', '/T/p/a/b/GEMINI.md', '/T/p/a/b/c/GEMINI.md');
  const cwd = '/T/p/a/b';
  return [
    tierCase('root: from cwd up to the marker', [git('/T/p'), ...column], { cwd }),
    tierCase('root: no marker means cwd only', column, { cwd }),
    tierCase('root: empty marker list means cwd only', [git('/T/p'), ...column], { cwd, markers: [] }),
    tierCase('root: marker file', [file('/T/p/.git', 'gitdir: x'), ...column], { cwd }),
    tierCase('root: nearest marker', [git('/T/p'), git('/T/p/a'), ...column], { cwd }),
    tierCase('root: marker in cwd', [git('/T/p'), git(cwd), ...column], { cwd }),
    tierCase('root: marker only below cwd', [git('/T/p/a/b/c'), ...column], { cwd }),
    tierCase('root: second marker', [file('/T/p/a/package.json', '{}'), git('/T/p'), ...column], {
      cwd,
      markers: ['.git', 'package.json'],
    }),
    tierCase('root: unusable markers are skipped', [git('/T/p'), ...column], {
      cwd,
      markers: ['/T/p/a', '../a', '.git'],
    }),
    tierCase('root: marker above all', [git('/T'), ...column], { cwd }),
    tierCase('root: order is alphabetical, not by depth', [
      git('/T/p'),
      ...notes('/T/p/GEMINI.md', '/T/p/A/GEMINI.md', '/T/p/A/.x/GEMINI.md', '/T/p/A/AGENTS.md', '/T/p/A/.x/AGENTS.md'),
    ], { cwd: '/T/p/A/.x', names: ['AGENTS.md'] }),
    tierCase('root: directory called like the file', [
      git('/T/p'),
      ...notes('/T/p/GEMINI.md', '/T/p/GEMINI/GEMINI.md', '/T/p/GEMINI/GEMINI.md.d/GEMINI.md'),
    ], { cwd: '/T/p/GEMINI/GEMINI.md.d' }),
    tierCase('root: no downward search', [git('/T/p'), ...column], { cwd: '/T/p' }),
    tierCase('root: ignore files are not consulted', [
      git('/T/p'),
      file('/T/p/.gitignore', '*.md\na/\n'),
      file('/T/p/.geminiignore', '*\n'),
      ...column,
    ], { cwd }),
  ];
}

function tierHome() {
  return [
    tierCase('home: cwd is home', notes('/T/home/GEMINI.md', `${GLOBAL}/GEMINI.md`, '/T/GEMINI.md'), { cwd: HOME }),
    tierCase('home: cwd is the global directory', notes('/T/home/GEMINI.md', `${GLOBAL}/GEMINI.md`), { cwd: GLOBAL }),
    tierCase('home: repository around the global directory', [
      git(HOME),
      ...notes('/T/home/GEMINI.md', `${GLOBAL}/GEMINI.md`, `${GLOBAL}/deep/GEMINI.md`),
    ], { cwd: `${GLOBAL}/deep` }),
    tierCase('home: project below home without marker', notes('/T/home/GEMINI.md', '/T/home/w/GEMINI.md', '/T/home/w/x/GEMINI.md'), {
      cwd: '/T/home/w/x',
    }),
    tierCase('home: repository is home', [git(HOME), ...notes('/T/home/GEMINI.md', '/T/home/w/GEMINI.md')], {
      cwd: '/T/home/w',
    }),
  ];
}

function tierWorkspace() {
  const two = [git('/T/p'), git('/T/q'), ...notes('/T/p/GEMINI.md', '/T/q/GEMINI.md', '/T/q/in/GEMINI.md', '/T/a/GEMINI.md')];
  return [
    tierCase('workspace: include directories', two, { includeDirs: ['/T/q/in', '/T/a'] }),
    tierCase('workspace: untrusted include directories', two, { includeDirs: ['/T/q/in'], trusted: false }),
    tierCase('workspace: missing include directory', two, { includeDirs: ['/T/none', '/T/q'] }),
    tierCase('workspace: file as include directory', two, { includeDirs: ['/T/q/GEMINI.md'] }),
    tierCase('workspace: include directory inside cwd', [git('/T/p'), ...notes('/T/p/GEMINI.md', '/T/p/x/GEMINI.md')], {
      includeDirs: ['/T/p/x', '/T/p'],
    }),
    tierCase('workspace: relative include directory', two, { includeDirs: ['../q'] }),
    tierCase('workspace: linked include directory', [...two, link('/T/l', 'q')], { includeDirs: ['/T/l', '/T/q'] }),
    tierCase('workspace: include directory is a link to cwd', [git('/T/p'), note('/T/p/GEMINI.md'), link('/T/l', 'p')], {
      includeDirs: ['/T/l'],
    }),
    tierCase('workspace: sort is by utf-16 unit', [
      ...notes('/T/p/GEMINI.md', '/T/\u{1D4B3}/GEMINI.md', '/T/\uFF5E/GEMINI.md', '/T/Ä/GEMINI.md', '/T/z/GEMINI.md', '/T/_/GEMINI.md'),
    ], { includeDirs: ['/T/\uFF5E', '/T/\u{1D4B3}', '/T/Ä', '/T/z', '/T/_'] }),
    {
      name: 'workspace: cwd reached through a link',
      files: [dir(HOME), git('/T/real'), ...notes('/T/real/GEMINI.md', '/T/real/sub/GEMINI.md'), link('/T/p', 'real/sub')],
      input: sessionInput({}),
    },
    tierCase('weakness-workspace: percent sign in cwd', notes('/T/a%20b/GEMINI.md'), { cwd: '/T/a%20b' }),
  ];
}

function tierIdentity() {
  return [
    tierCase('identity: project link to the global file', [
      git('/T/p'),
      note(`${GLOBAL}/GEMINI.md`),
      link('/T/p/GEMINI.md', '/T/home/.gemini/GEMINI.md'),
    ]),
    tierCase('identity: two names, one file', [
      git('/T/p'),
      note('/T/p/GEMINI.md'),
      link('/T/p/AGENTS.md', 'GEMINI.md'),
    ], { names: ['AGENTS.md'] }),
    tierCase('identity: outer link wins over the inner file', [
      git('/T/p'),
      link('/T/p/GEMINI.md', 'z/GEMINI.md'),
      note('/T/p/z/GEMINI.md'),
    ], { cwd: '/T/p/z' }),
    tierCase('identity: winner is chosen before sorting', [
      git('/T/p'),
      note('/T/p/GEMINI.md'),
      link('/T/p/A/GEMINI.md', '../GEMINI.md'),
    ], { cwd: '/T/p/A' }),
    tierCase('identity: link to a file outside', [
      git('/T/p'),
      file('/T/shared/rules.md', 'shared @more.md'),
      file('/T/shared/more.md', 'more'),
      file('/T/p/more.md', 'more of p'),
      link('/T/p/GEMINI.md', '/T/shared/rules.md'),
    ]),
    tierCase('identity: dangling and looping links', [
      git('/T/p'),
      link('/T/p/GEMINI.md', 'gone.md'),
      link('/T/p/AGENTS.md', 'ZED.md'),
      link('/T/p/ZED.md', 'AGENTS.md'),
    ], { names: ['AGENTS.md', 'ZED.md'] }),
    tierCase('identity: link to a directory', [git('/T/p'), dir('/T/p/d'), link('/T/p/GEMINI.md', 'd')]),
    tierCase('identity: extension file is also the project file', [git('/T/p'), note('/T/p/GEMINI.md')], {
      extensions: ['/T/p/GEMINI.md'],
    }),
    tierCase('identity: extension links to the project file', [
      git('/T/p'),
      note('/T/p/GEMINI.md'),
      link('/T/ext/GEMINI.md', '/T/p/GEMINI.md'),
    ], { extensions: ['/T/ext/GEMINI.md'] }),
    tierCase('identity: extension file is the global file', [note(`${GLOBAL}/GEMINI.md`)], {
      extensions: [`${GLOBAL}/GEMINI.md`],
    }),
    tierCase('identity: private index links to the project file', [
      git('/T/p'),
      note('/T/p/GEMINI.md'),
      link(`${PRIVATE}/MEMORY.md`, '/T/p/GEMINI.md'),
    ]),
    tierCase('identity: cwd is the private folder', [note(`${PRIVATE}/GEMINI.md`)], { cwd: PRIVATE }),
  ];
}

function tierImports() {
  const files = [
    git('/T/p'),
    file('/T/p/GEMINI.md', 'see @docs/a.md and @../x.md\n'),
    file('/T/p/docs/a.md', 'A @b.md\n'),
    file('/T/p/docs/b.md', 'B\n'),
    file('/T/x.md', 'x\n'),
    file(`${GLOBAL}/GEMINI.md`, 'g @note.md @../GEMINI.md'),
    file(`${GLOBAL}/note.md`, 'n'),
    file('/T/home/GEMINI.md', 'home'),
  ];
  return [
    tierCase('imports: tree', files),
    tierCase('imports: flat', files, { importFormat: 'flat' }),
    tierCase('weakness-imports: another root for a name in a directory', [
      file('/T/p/.ai/GUIDE.md', 'see @../note.md'),
      file('/T/p/note.md', 'a note'),
    ], { names: ['.ai/GUIDE.md'] }),
    tierCase('imports: without markers', [...files, file('/T/p/docs/GEMINI.md', '@../GEMINI.md @a.md')], {
      cwd: '/T/p/docs',
      markers: [],
    }),
  ];
}

// ---- generated trees, shared by tiers, eager and jit

const DIR_NAMES = ['a', 'b', 'Zed', '_x', '-dash', '.cfg', '10', '9', 'é', '\uFF5Ew', '\u{1D4B3}y', 'GEMINI', 'with space', 'src', 'dist', 'G'];
const ADVICE = ['Prefer short functions.', 'Run the linter first.', 'Ask before deleting.', 'Dates are ISO.', 'No tabs.', 'Écrire en français.', 'Ship on Friday 😀'];
const NAME_LISTS = [[], [], ['AGENTS.md'], ['ZED.md', 'AGENTS.md'], ['GEMINI.md', 'AGENTS.md'], ['.ai/GUIDE.md']];
const MARKER_LISTS = [['.git'], ['.git'], ['.git'], ['.git'], ['.hg', '.git'], ['package.json', '.git'], []];

function randomDirs(rng, top, low, high) {
  const dirs = [top];
  for (const _ of count(rng.between(low, high))) {
    // Favouring late parents makes the tree deep enough to be interesting.
    const parent = rng.chance(0.5) ? dirs[dirs.length - 1] : rng.pick(dirs);
    const made = `${parent}/${rng.pick(DIR_NAMES)}`;
    if (!dirs.includes(made)) dirs.push(made);
  }
  return dirs;
}

function randomMemory(rng, path, known) {
  const roll = rng.below(20);
  if (roll === 0) return file(path, '');
  if (roll === 1) return file(path, `${BOM}${rng.pick(ADVICE)}\r\n`);
  if (roll === 2) return bytes(path, [0x61, 0xff, 0x62, 0xc3]);
  if (roll === 3) return file(path, `${rng.pick(ADVICE)}\n@note.md\n`);
  if (roll === 4) return link(path, 'gone.md');
  if (roll < 8 && known.length > 0) return link(path, rng.pick(known));
  return file(path, `${rng.pick(ADVICE)} ${rng.below(1000)}\n`);
}

function scatterMemory(rng, dirs, names, share) {
  const files = [];
  const known = [];
  for (const place of dirs) {
    for (const name of names) {
      if (!rng.chance(share)) continue;
      const path = `${place}/${name}`;
      const entry = randomMemory(rng, path, known);
      files.push(entry);
      if (entry.link === undefined) known.push(path);
    }
    if (rng.chance(0.2)) files.push(file(`${place}/note.md`, 'a note\n'));
  }
  return files;
}

function randomMarker(rng, dirs) {
  if (rng.chance(0.15)) return [];
  const place = rng.chance(0.7) ? dirs[0] : rng.pick(dirs);
  const kind = rng.below(4);
  if (kind === 0) return [file(`${place}/.git`, 'gitdir: elsewhere\n')];
  if (kind === 1) return [dir(`${place}/.hg`), file(`${place}/package.json`, '{}\n')];
  return [git(place)];
}

function randomExtensions(rng, entries) {
  const chosen = [];
  for (const name of ['m', 'K', 'é']) {
    if (!rng.chance(0.35)) continue;
    const path = `/T/ext/${name}/GEMINI.md`;
    chosen.unshift(path);
    if (rng.chance(0.85)) entries.push(file(path, `Extension ${name} speaks.\n`));
  }
  return chosen;
}

// One session: a project tree, a home, extensions and a setting of each kind.
function randomSession(rng, { low, high, share }) {
  const configured = rng.pick(NAME_LISTS);
  const names = [...new Set([...configured, 'GEMINI.md'])];
  const top = rng.chance(0.3) ? '/T/home/w' : '/T/p';
  const dirs = randomDirs(rng, top, low, high);
  const files = [dir(HOME), ...dirs.map(dir)];
  files.push(...randomMarker(rng, dirs));
  files.push(...scatterMemory(rng, [...dirs, GLOBAL, ...(rng.chance(0.3) ? [HOME, '/T'] : [])], names, share));
  if (rng.chance(0.4)) files.push(file(`${PRIVATE}/MEMORY.md`, 'Private index.\n'));
  if (rng.chance(0.3)) files.push(file(`${PRIVATE}/GEMINI.md`, 'Private legacy.\n'));
  const input = sessionInput({
    names: configured,
    markers: rng.pick(MARKER_LISTS),
    trusted: rng.chance(0.9),
    extensions: randomExtensions(rng, files),
    importFormat: rng.chance(0.2) ? 'flat' : 'tree',
  });
  return { files, dirs, input, names };
}

function randomTierCase(seed) {
  const rng = randomFrom(seed);
  const { files, dirs, input } = randomSession(rng, { low: 2, high: 7, share: 0.75 });
  // Late directories are mostly the deep ones.
  input.cwd = rng.chance(0.6) ? dirs[dirs.length - 1] : rng.pick(dirs);
  input.includeDirs = rng.chance(0.4) ? [rng.pick(dirs), rng.pick(dirs)] : [];
  return { name: `random ${seed}`, files, input };
}

export function tierCases() {
  return {
    fixed: [
      ...tierBasics(),
      ...tierNames(),
      ...tierPrivate(),
      ...tierExtensions(),
      ...tierRoots(),
      ...tierHome(),
      ...tierWorkspace(),
      ...tierIdentity(),
      ...tierImports(),
    ],
    generated: count(80).map((i) => randomTierCase(2000 + i)),
    enough: 50,
    maxBytes: 6000,
  };
}

// --------------------------------------------------------------------- eager

function eagerInput(extra) {
  const { projectId, importFormat, ...shared } = sessionInput({});
  return {
    ...shared,
    names: ['GEMINI.md'],
    loadFromIncludeDirs: false,
    importFormat,
    maxDirs: 200,
    respectGitIgnore: true,
    respectGeminiIgnore: true,
    customIgnore: [],
    ...extra,
  };
}

function eagerCase(name, files, extra = {}) {
  const input = eagerInput(extra);
  return { name, files: [dir(HOME), dir(input.cwd), ...files], input };
}

function eagerOrder() {
  const column = notes(`${GLOBAL}/GEMINI.md`, '/T/GEMINI.md', '/T/o/GEMINI.md', '/T/o/p/GEMINI.md', '/T/o/p/a/GEMINI.md', '/T/o/p/a/b/GEMINI.md');
  const cwd = '/T/o/p/a';
  const both = [
    git('/T/o/p'),
    ...column,
    ...notes(`${GLOBAL}/AGENTS.md`, '/T/o/AGENTS.md', '/T/o/p/AGENTS.md', '/T/o/p/a/AGENTS.md', '/T/o/p/a/b/AGENTS.md', '/T/o/p/a/B/AGENTS.md'),
  ];
  return [
    eagerCase('nothing anywhere', []),
    eagerCase('order: up, then down', [git('/T/o/p'), ...column], { cwd }),
    eagerCase('order: one level above the repository', [git('/T/o/p'), ...column], { cwd: '/T/o/p' }),
    eagerCase('order: no marker goes up to the parent of home', column, { cwd }),
    eagerCase('order: empty marker list', [git('/T/o/p'), ...column], { cwd, markers: [] }),
    eagerCase('order: other marker', [git('/T/o/p'), dir('/T/o/p/a/.hg'), ...column], { cwd, markers: ['.hg'] }),
    eagerCase('order: unusable markers are skipped', [git('/T/o/p'), ...column], { cwd, markers: ['/T/o', '../p', '.git'] }),
    eagerCase('order: marker is a file', [file('/T/o/p/.git', 'gitdir: x\n'), ...column], { cwd }),
    eagerCase('order: untrusted', [git('/T/o/p'), ...column], { cwd, trusted: false }),
    eagerCase('order: two names one after the other', both, { cwd, names: ['AGENTS.md', 'GEMINI.md'] }),
    eagerCase('order: names replace the default', both, { cwd, names: ['AGENTS.md'] }),
    eagerCase('order: name in a directory is found upward only', [
      git('/T/p'),
      ...notes('/T/p/.ai/GUIDE.md', '/T/p/s/.ai/GUIDE.md', '/T/p/s/t/.ai/GUIDE.md', `${GLOBAL}/.ai/GUIDE.md`),
    ], { cwd: '/T/p/s', names: ['.ai/GUIDE.md'] }),
    eagerCase('order: downward is sorted by utf-16 unit', [
      git('/T/p'),
      ...notes('/T/p/z/GEMINI.md', '/T/p/Z/GEMINI.md', '/T/p/_/GEMINI.md', '/T/p/.c/GEMINI.md', '/T/p/\u{1D4B3}/GEMINI.md', '/T/p/\uFF5E/GEMINI.md', '/T/p/é/GEMINI.md', '/T/p/10/GEMINI.md', '/T/p/9/GEMINI.md', '/T/p/GEMINI.md', '/T/p/GEMINI/GEMINI.md', '/T/p/a b/GEMINI.md'),
    ]),
  ];
}

function eagerHome() {
  const inHome = notes(`${GLOBAL}/GEMINI.md`, '/T/home/GEMINI.md', '/T/home/w/GEMINI.md', '/T/home/w/x/GEMINI.md', '/T/GEMINI.md');
  return [
    eagerCase('home: cwd is home', inHome, { cwd: HOME }),
    eagerCase('home: include directory below a link to home', [...inHome, link('/T/hl', 'home')], {
      cwd: HOME,
      includeDirs: ['/T/hl/w'],
      loadFromIncludeDirs: true,
    }),
    eagerCase('home: cwd is home with include directories', [...inHome, note('/T/q/GEMINI.md')], {
      cwd: HOME,
      includeDirs: ['/T/q'],
      loadFromIncludeDirs: true,
    }),
    eagerCase('home: project below home', inHome, { cwd: '/T/home/w' }),
    eagerCase('home: repository is home', [git(HOME), ...inHome], { cwd: '/T/home/w' }),
    eagerCase('home: cwd is the global directory', [...inHome, note(`${GLOBAL}/d/GEMINI.md`)], { cwd: GLOBAL }),
    eagerCase('home: searched from above, the global file shows twice', inHome, {
      cwd: '/T/home/w',
      includeDirs: [HOME],
      loadFromIncludeDirs: true,
    }),
    {
      name: 'home: cwd is a link to home',
      files: [dir(HOME), ...inHome, link('/T/hl', 'home')],
      input: eagerInput({ cwd: '/T/hl' }),
    },
  ];
}

function eagerTree() {
  const chainOf = (n) => count(n).map((i) => note(`/T/p/${count(i + 1).map((k) => `d${k}`).join('/')}/GEMINI.md`));
  const marker = file('/T/p/.git', 'gitdir: x\n');
  return [
    eagerCase('tree: linked directory is not entered', [
      git('/T/p'),
      note('/T/q/GEMINI.md'),
      link('/T/p/l', '../q'),
      link('/T/p/self', '.'),
    ]),
    eagerCase('tree: linked file is found upward only', [
      git('/T/p'),
      note('/T/q/rules.md'),
      link('/T/p/GEMINI.md', '../q/rules.md'),
      link('/T/p/s/GEMINI.md', '../../q/rules.md'),
      link('/T/p/s/t/GEMINI.md', '/T/q/rules.md'),
    ], { cwd: '/T/p/s' }),
    eagerCase('tree: hidden directories are entered', [git('/T/p'), ...notes('/T/p/.gemini/GEMINI.md', '/T/p/.x/.y/GEMINI.md')]),
    eagerCase('tree: git directory is never entered', [git('/T/p'), ...notes('/T/p/.git/GEMINI.md', '/T/p/s/.git/GEMINI.md')]),
    eagerCase('tree: git directory without git rules', [git('/T/p'), ...notes('/T/p/.git/GEMINI.md', '/T/p/s/.git/GEMINI.md')], {
      respectGitIgnore: false,
    }),
    eagerCase('tree: dependency directories are entered', [git('/T/p'), ...notes('/T/p/node_modules/x/GEMINI.md')]),
    eagerCase('tree: directory with the name of a memory file', [
      git('/T/p'),
      dir('/T/p/GEMINI.md'),
      dir('/T/p/s/GEMINI.md'),
      note('/T/p/s/GEMINI.md/GEMINI.md'),
    ]),
    eagerCase('tree: other casing is another file', [git('/T/p'), ...notes('/T/p/s/gemini.md', '/T/p/t/Gemini.MD')]),
    eagerCase('tree: empty files', [git('/T/p'), file('/T/p/GEMINI.md', ''), file('/T/p/s/GEMINI.md', ` ${BOM}\n`), note('/T/p/t/GEMINI.md')]),
    eagerCase('tree: invalid bytes', [git('/T/p'), bytes('/T/p/s/GEMINI.md', [0xff, 0x41, 0xe2, 0x82])]),
    eagerCase('tree: cwd is a file tree without memory', [git('/T/p'), file('/T/p/src/main.rs', 'fn main() {}\n')]),
    eagerCase('cap: not reached', [marker, ...chainOf(5)], { maxDirs: 6 }),
    eagerCase('cap: cuts a chain', [marker, ...chainOf(5)], { maxDirs: 3 }),
    eagerCase('cap: one means only cwd', [marker, ...chainOf(3), note('/T/p/GEMINI.md')], { maxDirs: 1 }),
    eagerCase('cap: zero means no search below', [marker, ...chainOf(3), note('/T/p/GEMINI.md')], { maxDirs: 0 }),
    eagerCase('cap: more than one batch', [marker, ...chainOf(22)], { maxDirs: 20 }),
    {
      name: 'tree: cwd is a link',
      files: [dir(HOME), git('/T/real'), ...notes('/T/real/GEMINI.md', '/T/real/s/GEMINI.md', '/T/GEMINI.md'), link('/T/p', 'real'), file('/T/real/.gitignore', '/s\n')],
      input: eagerInput({}),
    },
  ];
}

function ignoring(name, rules, paths, extra = {}) {
  const files = Object.entries(rules).map(([path, text]) => file(`/T/p/${path}`, text));
  const memory = paths.map((place) => note(place === '.' ? '/T/p/GEMINI.md' : `/T/p/${place}/GEMINI.md`));
  return eagerCase(`ignore: ${name}`, [...(extra.bare ? [] : [git('/T/p')]), ...files, ...memory], extra.input);
}

function eagerIgnore() {
  const ab = ['a', 'b', 'a/c', 'b/c'];
  const gitOff = { input: { respectGitIgnore: false } };
  const geminiOff = { input: { respectGeminiIgnore: false } };
  return [
    ignoring('name', { '.gitignore': 'a\n' }, ab),
    ignoring('anchored name', { '.gitignore': '/c\n/b\n' }, ab),
    ignoring('path', { '.gitignore': 'a/c\n' }, ab),
    ignoring('name at any depth', { '.gitignore': 'c\n' }, ab),
    ignoring('directory pattern', { '.gitignore': 'dist/\n' }, ['dist', 'dist/x', 's/dist', 's']),
    ignoring('directory pattern without slash', { '.gitignore': 'dist\n' }, ['dist', 'dist/x', 's/dist', 's']),
    ignoring('file pattern', { '.gitignore': '*.md\n' }, ['.', 'a']),
    ignoring('file name', { '.gitignore': 'GEMINI.md\n!a/GEMINI.md\n' }, ['.', 'a', 'b']),
    ignoring('casing does not matter', { '.gitignore': 'Dist\nBUILD/\n' }, ['dist', 'DIST', 'build/x', 'Build']),
    ignoring('star', { '.gitignore': 'b*\n' }, ['b', 'bb', 'ab', 'a/bc']),
    ignoring('star does not cross', { '.gitignore': 'a/*/x\n' }, ['a/b/x', 'a/b/c/x', 'a/x']),
    ignoring('two stars', { '.gitignore': '**/x\na/**\n' }, ['x', 'q/x', 'a', 'a/z', 'q']),
    ignoring('two stars in the middle', { '.gitignore': 'a/**/z\n' }, ['a/z', 'a/b/z', 'a/b/c/z', 'z']),
    ignoring('question mark and class', { '.gitignore': 'a?\nb[0-2]\n[!x]q\n' }, ['a1', 'a', 'b1', 'b3', 'xq', 'yq']),
    ignoring('negation', { '.gitignore': 'a\n!a\n' }, ab),
    ignoring('negation under an ignored directory', { '.gitignore': 'a\n!a/c\n' }, ab),
    ignoring('all but one', { '.gitignore': '/*\n!/b\n' }, ab),
    ignoring('negated directory pattern', { '.gitignore': 'd/*\n!d/keep/\n' }, ['d/keep', 'd/drop', 'd']),
    ignoring('negated without slash', { '.gitignore': 'd/*\n!d/keep\n' }, ['d/keep', 'd/drop', 'd']),
    ignoring('comments and blanks', { '.gitignore': '# a\n\n   \n  b\n\\#c\n' }, ['a', 'b', '#c']),
    ignoring('escaped exclamation mark', { '.gitignore': '\\!a\n' }, ['!a', 'a']),
    ignoring('trailing spaces', { '.gitignore': 'a  \nb\\ \n' }, ['a', 'b', 'b ']),
    ignoring('windows lines and byte order mark', { '.gitignore': `${BOM}a\r\nb\r` }, ab),
    ignoring('inner space', { '.gitignore': 'my dir\n' }, ['my dir', 'my']),
    ignoring('nested file', { 'a/.gitignore': 'c\n' }, [...ab, 'a/d/c']),
    ignoring('nested anchored', { 'a/.gitignore': '/c\n' }, [...ab, 'a/d/c']),
    ignoring('nested directory pattern', { 'a/.gitignore': 'c/\n' }, [...ab, 'a/d/c']),
    ignoring('nested path', { 'a/.gitignore': 'c/e\n' }, ['a/c/e', 'a/d/c/e', 'c/e']),
    ignoring('nested star', { 'a/.gitignore': '*\n' }, ab),
    ignoring('nested negation', { '.gitignore': 'c\n', 'a/.gitignore': '!c\n' }, ab),
    ignoring('nested in an ignored directory', { '.gitignore': 'a\n', 'a/.gitignore': '!c\n!*\n' }, ab),
    ignoring('nested climbing pattern', { 'a/.gitignore': '../b\n' }, ab),
    ignoring('exclude file', { '.git/info/exclude': 'a\n/b/c\n' }, ab),
    ignoring('exclude file is overruled', { '.git/info/exclude': 'a\nc\n', '.gitignore': '!a\n' }, ab),
    ignoring('git rules need a repository', { '.gitignore': 'a\n' }, ab, { bare: true }),
    ignoring('git rules switched off', { '.gitignore': 'a\n' }, ab, gitOff),
    ignoring('gemini file', { '.geminiignore': 'a\n' }, ab),
    ignoring('gemini file without a repository', { '.geminiignore': 'a\n!a/c\n' }, ab, { bare: true }),
    ignoring('gemini file alone', { '.geminiignore': ' a \n# b\n', '.gitignore': 'b\n' }, ab, gitOff),
    ignoring('gemini file switched off', { '.geminiignore': 'a\n', '.gitignore': 'b\n' }, ab, geminiOff),
    ignoring('both switched off', { '.geminiignore': 'a\n', '.gitignore': 'b\n' }, ab, {
      input: { respectGitIgnore: false, respectGeminiIgnore: false },
    }),
    ignoring('nested gemini file is not read', { 'a/.geminiignore': 'c\n' }, ab),
    ignoring('gemini file brings back', { '.gitignore': 'a\n', '.geminiignore': '!a\n' }, ab),
    ignoring('gemini file brings back below a nested file', { 'a/.gitignore': 'c\n', '.geminiignore': '!a/c\n' }, ab),
    ignoring('gemini directory pattern', { '.geminiignore': 'dist/\n' }, ['dist', 'dist/x', 's/dist'], { bare: true }),
    ignoring('gemini casing', { '.geminiignore': 'A\n' }, ab, { bare: true }),
    ignoring('gemini brings back the git directory', { '.geminiignore': '!.git\n' }, ['.git', '.git/x', 'a']),
    ignoring('custom file', { '.aiignore': 'a\n' }, ab, { input: { customIgnore: ['.aiignore'] } }),
    ignoring('custom overrules gemini', { '.aiignore': '!a\n', '.geminiignore': 'a\nb\n' }, ab, {
      input: { customIgnore: ['.aiignore'] },
    }),
    ignoring('first custom file wins', { one: '!a\n', two: 'a\nb\n' }, ab, { input: { customIgnore: ['one', 'two'] } }),
    ignoring('last custom file loses', { one: 'a\n', two: '!a\nb\n' }, ab, { input: { customIgnore: ['one', 'two'] } }),
    ignoring('custom without the others', { one: 'a\n', '.gitignore': 'b\n', '.geminiignore': '!a\n' }, ab, {
      input: { customIgnore: ['one'], respectGitIgnore: false, respectGeminiIgnore: false },
    }),
    ignoring('custom beside gemini only adds', { one: '!a\n', '.geminiignore': 'a\n' }, ab, {
      input: { customIgnore: ['one'], respectGitIgnore: false },
    }),
    ignoring('custom missing', { '.geminiignore': 'a\n' }, ab, { input: { customIgnore: ['none'] } }),
    ignoring('custom in a directory', { 'cfg/ig': 'a\n' }, ab, { input: { customIgnore: ['cfg/ig'] } }),
    ignoring('upward search does not ask', { '.gitignore': 'GEMINI.md\na\n', '.geminiignore': '*\n' }, ['.', 'a', 'a/c'], {
      input: { cwd: '/T/p/a' },
    }),
    ignoring('file of a parent directory is not read', { '.gitignore': 'c\n', '.geminiignore': 'd\n' }, ['a', 'a/c', 'a/d'], {
      input: { cwd: '/T/p/a' },
    }),
    ignoring('include directory is never ignored', { 'a/.gitignore': '*\n', 'a/.geminiignore': '*\n', 'b/.gitignore': '*\n' }, ab, {
      input: { cwd: '/T/p/a', includeDirs: ['/T/p/b'], loadFromIncludeDirs: true },
    }),
  ];
}

function eagerSources() {
  const two = [git('/T/p'), git('/T/q'), ...notes('/T/p/GEMINI.md', '/T/p/s/GEMINI.md', '/T/q/GEMINI.md', '/T/q/in/GEMINI.md', '/T/q/in/x/GEMINI.md')];
  const imports = [
    git('/T/p'),
    file('/T/p/GEMINI.md', 'see @docs/a.md @../x.md\n'),
    file('/T/p/docs/a.md', 'A @b.md'),
    file('/T/p/docs/b.md', 'B'),
    file('/T/x.md', 'x'),
  ];
  return [
    eagerCase('include: switched off', two, { includeDirs: ['/T/q'] }),
    eagerCase('include: comes first', two, { includeDirs: ['/T/q/in'], loadFromIncludeDirs: true }),
    eagerCase('include: cwd among them', two, { includeDirs: ['/T/p', '/T/q'], loadFromIncludeDirs: true }),
    eagerCase('include: inside cwd', two, { includeDirs: ['/T/p/s'], loadFromIncludeDirs: true }),
    eagerCase('include: missing directory', two, { includeDirs: ['/T/p/none'], loadFromIncludeDirs: true }),
    eagerCase('include: untrusted', two, { includeDirs: ['/T/q'], loadFromIncludeDirs: true, trusted: false }),
    eagerCase('extensions: sorted, unique, missing kept in the list', [...two, ...notes('/T/ext/b/GEMINI.md', '/T/ext/A/GEMINI.md')], {
      extensions: ['/T/ext/b/GEMINI.md', '/T/ext/none.md', '/T/ext/A/GEMINI.md', '/T/ext/b/GEMINI.md'],
    }),
    eagerCase('extensions: untrusted', [...two, note('/T/ext/b/GEMINI.md')], { extensions: ['/T/ext/b/GEMINI.md'], trusted: false }),
    eagerCase('private folder is never read', [git('/T/p'), ...notes(`${PRIVATE}/MEMORY.md`, `${PRIVATE}/GEMINI.md`)]),
    eagerCase('identity: project link to the global file', [
      git('/T/p'),
      note(`${GLOBAL}/GEMINI.md`),
      link('/T/p/GEMINI.md', '/T/home/.gemini/GEMINI.md'),
    ]),
    eagerCase('identity: extension file is also the project file', [git('/T/p'), note('/T/p/s/GEMINI.md')], {
      extensions: ['/T/p/s/GEMINI.md'],
    }),
    eagerCase('identity: extension links to the project file', [git('/T/p'), note('/T/p/GEMINI.md'), link('/T/ext/GEMINI.md', '/T/p/GEMINI.md')], {
      extensions: ['/T/ext/GEMINI.md'],
    }),
    eagerCase('identity: two names, one file', [git('/T/p'), note('/T/p/GEMINI.md'), link('/T/p/AGENTS.md', 'GEMINI.md')], {
      names: ['AGENTS.md', 'GEMINI.md'],
    }),
    eagerCase('imports: tree', imports),
    eagerCase('imports: flat', imports, { importFormat: 'flat' }),
    eagerCase('imports: no markers', imports, { markers: [] }),
    eagerCase('weakness-imports: a link out of the global directory', [
      file('/T/p/GEMINI.md', 'project'),
      file(`${GLOBAL}/GEMINI.md`, 'see @l.md'),
      link(`${GLOBAL}/l.md`, '/T/p/GEMINI.md'),
    ]),
    eagerCase('weakness-imports: a link to itself', [
      git('/T/p'),
      file('/T/p/GEMINI.md', 'see @l.md'),
      link('/T/p/l.md', 'l.md'),
    ]),
    eagerCase('weakness-imports: another root for each file', [
      file('/T/p/GEMINI.md', 'top'),
      file('/T/p/s/GEMINI.md', 'see @../GEMINI.md'),
    ]),
  ];
}

const PATTERNS = ['a', 'b/', '/src', 'dist', 'dist/', '*.md', '!GEMINI.md', '!a', 'Zed', 'zed/', '_*', '?', '[0-9]*', '**/a', 'a/**', 'a/b', '!a/b', '.cfg', '# a', '', ' 10', 'with space', '/*', '!/src', 'é', '*/G', 'AGENTS.md', '!**/b/'];

const randomRules = (rng) => `${count(rng.between(1, 4)).map(() => rng.pick(PATTERNS)).join('\n')}\n`;

function randomIgnoreFiles(rng, cwd, dirs) {
  const files = [];
  if (rng.chance(0.6)) files.push(file(`${cwd}/.gitignore`, randomRules(rng)));
  if (rng.chance(0.4)) files.push(file(`${cwd}/.geminiignore`, randomRules(rng)));
  const nested = rng.pick(dirs);
  if (nested !== cwd && rng.chance(0.6)) files.push(file(`${nested}/.gitignore`, randomRules(rng)));
  if (rng.chance(0.2)) files.push(file(`${cwd}/.aiignore`, randomRules(rng)));
  return files;
}

function randomEagerCase(seed) {
  const rng = randomFrom(seed);
  const session = randomSession(rng, { low: 4, high: 10, share: 0.5 });
  const { dirs, names } = session;
  const cwd = rng.chance(0.6) ? dirs[0] : rng.pick(dirs.slice(0, 4));
  const files = [...session.files, ...randomIgnoreFiles(rng, cwd, dirs)];
  if (rng.chance(0.3)) files.push(link(`${rng.pick(dirs)}/lnk`, rng.pick(dirs)));
  const { markers, trusted, extensions, importFormat } = session.input;
  const input = eagerInput({
    cwd,
    names,
    markers,
    trusted,
    extensions,
    importFormat,
    includeDirs: rng.chance(0.3) ? [rng.pick(dirs)] : [],
    loadFromIncludeDirs: rng.chance(0.7),
    respectGitIgnore: rng.chance(0.7),
    respectGeminiIgnore: rng.chance(0.8),
    customIgnore: files.some((entry) => entry.path.endsWith('/.aiignore')) ? ['.aiignore'] : [],
  });
  return { name: `random ${seed}`, files, input };
}

export function eagerCases() {
  return {
    fixed: [...eagerOrder(), ...eagerHome(), ...eagerTree(), ...eagerIgnore(), ...eagerSources()],
    generated: count(160).map((i) => randomEagerCase(3000 + i)),
    enough: 70,
    maxBytes: 6000,
  };
}

// ----------------------------------------------------------------------- jit

function jitCase(name, files, accessed, extra = {}) {
  const base = tierCase(name, files, extra);
  const trustedRoots = extra.trustedRoots ?? [base.input.cwd];
  return { ...base, input: { ...base.input, accessed, trustedRoots } };
}

function jitBasics() {
  const column = [git('/T/p'), ...notes('/T/GEMINI.md', '/T/p/GEMINI.md', '/T/p/a/GEMINI.md', '/T/p/a/b/GEMINI.md', '/T/p/a/b/c/GEMINI.md'), file('/T/p/a/b/main.rs', ''), file('/T/p/top.rs', '')];
  return [
    jitCase('file', column, '/T/p/a/b/main.rs'),
    jitCase('directory', column, '/T/p/a/b'),
    jitCase('directory with a slash', column, '/T/p/a/b/'),
    jitCase('missing file', column, '/T/p/a/b/new.rs'),
    jitCase('missing directory', column, '/T/p/a/x/y/new.rs'),
    jitCase('file in the root has nothing new', column, '/T/p/top.rs'),
    jitCase('the root itself', column, '/T/p'),
    jitCase('outside every root', [...column, note('/T/q/GEMINI.md')], '/T/q/file.rs'),
    jitCase('above the root', column, '/T/file.rs'),
    jitCase('untrusted', column, '/T/p/a/b/main.rs', { trusted: false }),
    jitCase('no roots', column, '/T/p/a/b/main.rs', { trustedRoots: [] }),
    jitCase('below cwd without marker', column.slice(1), '/T/p/a/b/main.rs', { cwd: '/T/p/a' }),
    jitCase('beside cwd in the repository', [...column, note('/T/p/z/GEMINI.md')], '/T/p/z/file.rs', { cwd: '/T/p/a' }),
    jitCase('root above cwd', [...column, note('/T/p/z/GEMINI.md')], '/T/p/z/file.rs', { cwd: '/T/p/a', trustedRoots: ['/T/p'] }),
    jitCase('empty marker list', column, '/T/p/a/b/main.rs', { cwd: '/T/p/a', markers: [] }),
    jitCase('nested repository is not a ceiling', [...column, git('/T/p/a/b')], '/T/p/a/b/c/f.rs'),
    jitCase('path is cleaned', column, '/T/p/a/../a/./b/main.rs'),
    jitCase('accessed file is the memory file', column, '/T/p/a/b/GEMINI.md'),
    jitCase('sibling with the same beginning', [...column, note('/T/p2/GEMINI.md')], '/T/p2/f.rs'),
  ];
}

function jitRoots() {
  const files = [git('/T/r'), ...notes('/T/r/GEMINI.md', '/T/r/in/GEMINI.md', '/T/r/in/x/GEMINI.md', '/T/p/GEMINI.md')];
  return [
    jitCase('deepest root decides', [...files, git('/T/r/in')], '/T/r/in/x/f.rs', { trustedRoots: ['/T/p', '/T/r', '/T/r/in'] }),
    jitCase('ceiling may lie above the root', files, '/T/r/in/x/f.rs', { trustedRoots: ['/T/r/in'] }),
    jitCase('include directory was loaded before', files, '/T/r/in/x/f.rs', { includeDirs: ['/T/r/in'], trustedRoots: ['/T/p', '/T/r/in'] }),
    jitCase('weakness-root: a missing root lets the walk leave', [note('/T/GEMINI.md'), note('/T/w/GEMINI.md')], '/T/w/none', { trustedRoots: ['/T/w/none'] }),
  ];
}

function jitContent() {
  const shared = [git('/T/p'), note('/T/p/GEMINI.md')];
  return [
    jitCase('names in configured order, outer first', [
      ...shared,
      ...notes('/T/p/s/GEMINI.md', '/T/p/s/ZED.md', '/T/p/s/AGENTS.md', '/T/p/s/A/GEMINI.md', '/T/p/s/A/AGENTS.md', '/T/p/s/A/ZED.md'),
    ], '/T/p/s/A/f.rs', { names: ['ZED.md', 'AGENTS.md'] }),
    jitCase('imports are always a tree', [
      ...shared,
      file('/T/p/s/GEMINI.md', 'S @tips.md @../GEMINI.md'),
      file('/T/p/s/tips.md', 'tips'),
    ], '/T/p/s/f.rs', { importFormat: 'flat' }),
    jitCase('imports without markers', [...shared, file('/T/p/s/GEMINI.md', '@tips.md @../GEMINI.md'), file('/T/p/s/tips.md', 'tips')], '/T/p/s/f.rs', { markers: [] }),
    jitCase('blank file is loaded without text', [...shared, file('/T/p/s/GEMINI.md', ' \n')], '/T/p/s/f.rs'),
    jitCase('blank file beside a full one', [...shared, file('/T/p/s/GEMINI.md', BOM), file('/T/p/s/t/GEMINI.md', `${BOM}full\r\n`)], '/T/p/s/t/f.rs'),
    jitCase('directory with the name of a memory file', [...shared, dir('/T/p/s/GEMINI.md'), note('/T/p/s/t/GEMINI.md')], '/T/p/s/t/f.rs'),
    jitCase('link to an already loaded file', [...shared, link('/T/p/s/GEMINI.md', '../GEMINI.md'), note('/T/p/s/t/GEMINI.md')], '/T/p/s/t/f.rs'),
    jitCase('two links to one new file', [...shared, file('/T/p/r.md', 'rules'), link('/T/p/s/GEMINI.md', '../r.md'), link('/T/p/s/t/GEMINI.md', '/T/p/r.md')], '/T/p/s/t/f.rs'),
    jitCase('dangling link', [...shared, link('/T/p/s/GEMINI.md', 'none.md')], '/T/p/s/f.rs'),
    jitCase('link to the global file', [...shared, note(`${GLOBAL}/GEMINI.md`), link('/T/p/s/GEMINI.md', '/T/home/.gemini/GEMINI.md')], '/T/p/s/f.rs'),
    jitCase('extension file inside the project', [...shared, note('/T/p/s/GEMINI.md')], '/T/p/s/f.rs', { extensions: ['/T/p/s/GEMINI.md'] }),
    jitCase('linked directory leaving the root', [...shared, note('/T/q/GEMINI.md'), link('/T/p/l', '../q')], '/T/p/l/f.rs'),
    jitCase('linked directory inside the root', [...shared, note('/T/p/s/GEMINI.md'), link('/T/p/l', 's')], '/T/p/l/f.rs'),
    jitCase('link as the accessed file', [...shared, note('/T/p/s/GEMINI.md'), note('/T/p/t/GEMINI.md'), file('/T/p/t/f.rs', ''), link('/T/p/s/f.rs', '../t/f.rs')], '/T/p/s/f.rs'),
    jitCase('ignore files are not consulted', [...shared, file('/T/p/.gitignore', '*\n'), file('/T/p/.geminiignore', '*\n'), note('/T/p/s/GEMINI.md')], '/T/p/s/f.rs'),
    jitCase('walk stops at the global directory', [git(HOME), ...notes('/T/home/GEMINI.md', `${GLOBAL}/GEMINI.md`, `${GLOBAL}/x/GEMINI.md`, '/T/home/w/GEMINI.md')], `${GLOBAL}/x/f.rs`, { cwd: '/T/home/w', trustedRoots: [HOME] }),
    jitCase('invalid bytes', [...shared, bytes('/T/p/s/GEMINI.md', [0x78, 0xc0, 0x80, 0x79])], '/T/p/s/f.rs'),
  ];
}

function randomJitCase(seed) {
  const rng = randomFrom(seed);
  const { files, dirs, input } = randomSession(rng, { low: 3, high: 7, share: 0.75 });
  input.trusted = rng.chance(0.95);
  input.cwd = rng.chance(0.7) ? dirs[0] : rng.pick(dirs);
  const place = rng.pick(dirs.slice(1));
  const accessed = rng.chance(0.3) ? place : `${place}/${rng.pick(['main.rs', 'GEMINI.md', 'no/such.rs'])}`;
  const trustedRoots = rng.chance(0.7) ? [input.cwd] : [input.cwd, rng.pick(dirs)];
  return { name: `random ${seed}`, files, input: { ...input, accessed, trustedRoots } };
}

export function jitCases() {
  return {
    fixed: [...jitBasics(), ...jitRoots(), ...jitContent()],
    generated: count(60).map((i) => randomJitCase(4000 + i)),
    enough: 35,
    maxBytes: 6000,
  };
}
