// Our own session files for the original loader: hand-written ones, one per
// rule, and soups of random records from a seeded generator.
//
// A case is the bytes of a file. Case names beginning with `weakness-` show
// behaviour of the original that we do not copy. No text holds U+2028 or U+2029:
// whether the original's reader breaks lines there depends on the version of Node.

import { count, randomFrom } from './cases.mjs';

const HEADER = {
  sessionId: 's-1',
  projectHash: 'p',
  startTime: '2026-08-21T10:00:00.000Z',
  lastUpdated: '2026-08-21T10:00:00.000Z',
  kind: 'main',
};
const line = (record) => `${JSON.stringify(record)}\n`;
const lines = (...records) => [HEADER, ...records].map(line).join('');
const user = (id, content, more) => ({ id, type: 'user', content, ...more });
const model = (id, content, more) => ({ id, type: 'gemini', content, ...more });
const set = (facts) => ({ $set: facts });

// ----------------------------------------------------------------- by hand

function fixedTexts() {
  const hi = user('a', 'hi');
  return [
    ['empty file', ''],
    ['header only', lines()],
    ['no header', line(hi)],
    ['header after messages', line(hi) + lines(model('b', 'ho'))],
    ['header without project', line({ sessionId: 's' }) + line(hi)],
    ['project set later', line({ sessionId: 's' }) + line(set({ sessionId: 's', projectHash: 'p' })) + line(hi)],
    ['id unset', lines(hi, set({ sessionId: null }))],
    ['id emptied', lines(hi, set({ sessionId: '' }))],
    ['id renamed', lines(hi, set({ sessionId: 's-2' }))],
    ['times missing', line({ sessionId: 's', projectHash: 'p' })],
    ['times emptied', lines(set({ startTime: '', lastUpdated: null }))],
    ['same id in place', lines(hi, model('b', '1'), hi, model('b', '2'))],
    ['rewind', lines(hi, model('b', '1'), user('c', '2'), { $rewindTo: 'b' })],
    ['rewind to nowhere', lines(hi, model('b', '1'), { $rewindTo: 'zz' })],
    ['rewind twice', lines(hi, { $rewindTo: 'a' }, { $rewindTo: 'a' }, hi)],
    ['rewind is no string', lines(hi, { $rewindTo: 7 }, { $rewindTo: null, id: 'b' })],
    ['checkpoint', lines(hi, set({ messages: [user('x', 'sum'), model('y', 'ok')] }), user('z', 'on'))],
    ['checkpoint with doubles', lines(set({ messages: [user('x', '1'), model('y', '2'), user('x', '3')] }))],
    ['checkpoint without ids', lines(hi, set({ messages: [{ type: 'user' }, 5, null, 'x', []] }))],
    ['checkpoint is no list', lines(hi, set({ messages: { length: 3 } }))],
    ['set is a list', lines(hi, { $set: [1, 2] })],
    ['set is no object', lines(hi, { $set: 'x' }, { $set: null })],
    ['id before set', lines({ id: 'b', $set: { summary: 'no' } })],
    ['rewind before id', lines(hi, { id: 'b', $rewindTo: 'a' })],
    ['set before header', lines({ ...HEADER, sessionId: 'other', $set: { summary: 'yes' } })],
    ['two headers', lines(hi, { sessionId: 't', projectHash: 'q', summary: 'later' })],
    ['header with messages', line({ ...HEADER, messages: [hi, { type: 'user' }, model('b', 'ho'), hi] })],
    ['double keys', `${line(HEADER)}{"id":"a","id":"b","type":"info","type":"user","content":"x","content":"y"}\n`],
    ['escaped keys', `${line(HEADER)}{"\\u0069d":"a","t\\u0079pe":"user","content":"x"}\n{"\\u0024set":{"s\\u0075mmary":"s"}}\n`],
    ['escaped id', lines(hi) + `{"id":"\\u0061","type":"user","content":"same"}\n`],
    ['blanks and line ends', `\r\n  ${JSON.stringify(HEADER)}  \r\n\t\r\n ${JSON.stringify(hi)}\r\n\u00a0\n`],
    ['carriage returns alone', `${JSON.stringify(HEADER)}\r${JSON.stringify(hi)}\r${JSON.stringify(model('b', 'ho'))}`],
    ['no line end at the end', lines(hi).trimEnd()],
    ['torn', lines(hi) + '{"id":"b","type":"gem'],
    ['garbage between', lines(hi) + 'not json\n{]\n5\n"x"\nnull\n[{"id":"n"}]\n' + line(model('b', 'ho'))],
    ['unknown records', lines(hi, { version: 2, event: 'x' }, { $unset: { summary: 1 } }, { id: 5 })],
    ['unknown types', lines({ id: 'a', type: 'tool', content: 'x' }, { id: 'b' }, { id: 'c', type: null })],
    ['half characters', lines(hi) + '{"id":"b","type":"user","content":"cut \\ud83d"}\n{"id":"c","type":"user","content":"\\ud83d\\ude00"}\n'],
    ['numbers', lines(user('a', 'x', { n: [0, -1, 1.5, 1e21, -0.001] }))],
    ['summary set and unset', lines(hi, set({ summary: 'one', directories: ['/a', '/b'] }), set({ summary: null, kind: 'subagent' }))],
    ['scratchpad fresh', lines(hi, set({ memoryScratchpad: { version: 1, toolSequence: ['ls'] } }), set({ summary: 'x' }))],
    ['scratchpad stale', lines(hi, set({ memoryScratchpad: { version: 1 } }), model('b', 'ho'))],
    ['scratchpad stale by rewind', lines(hi, set({ memoryScratchpad: { version: 1 } }), { $rewindTo: 'a' })],
    ['scratchpad fresh again', lines(hi, set({ memoryScratchpad: { version: 1 } }), hi, set({ memoryScratchpad: { version: 1 } }))],
    ['scratchpad taken away', lines(set({ memoryScratchpad: { version: 1 } }), hi, set({ memoryScratchpad: null }), hi)],
    ['scratchpad in the header', line({ ...HEADER, memoryScratchpad: { version: 1 } }) + line(hi)],
    ['checkpoint keeps a scratchpad fresh', lines(set({ memoryScratchpad: { version: 1 } }), set({ messages: [hi] }))],
    ['prompts that are none', lines(user('a', '/help'), user('b', '? what'), user('c', ' <session_context>x'), user('d', [{ text: '<hook_context>' }]), user('e', ' \n'), user('f', []))],
    ['first prompt in parts', lines(user('a', [{ text: 'fix ' }, { inlineData: { mimeType: 'image/png', data: 'AAAA' } }, { text: 'it' }]))],
    ['first prompt is an answer of a tool', lines(user('a', [{ functionResponse: { name: 'ls', response: {} } }]), user('b', 'real'))],
    ['first prompt taken back', lines(user('a', 'gone'), { $rewindTo: 'a' }, user('b', 'here'))],
    ['first prompt replaced', lines(user('a', 'first'), user('a', 'second'))],
    ['only thoughts', lines(model('a', '', { thoughts: [{ subject: 's', description: 'd' }] }))],
    ['only tools', lines(model('a', '', { toolCalls: [{ id: 'c', name: 'ls', args: {} }] }))],
    ['only notices', lines({ id: 'a', type: 'info', content: 'x' }, { id: 'b', type: 'error', content: 'y' })],
    ['blank answer', lines(model('a', ' \n '))],
    ['notes for parts', lines(user('a', [{ videoMetadata: {} }, { fileData: {} }, { executableCode: {} }, { codeExecutionResult: {} }]))],
    ['calls without ids', lines(model('a', [{ functionCall: { name: 'ls' } }, { functionCall: { name: 'cat' } }, { functionCall: { name: 'ls' } }]), user('b', [{ functionResponse: { name: 'ls' } }, { functionResponse: { name: 'rm' } }, { functionResponse: { name: 'ls' } }]))],
    ['legacy', JSON.stringify({ ...HEADER, messages: [hi, model('b', 'ho')], summary: 's' }, null, 2)],
    ['legacy on one line', JSON.stringify({ ...HEADER, messages: [hi, model('b', 'ho'), hi] })],
    ['legacy with doubles', JSON.stringify({ ...HEADER, messages: [hi, user('a', 'again')] }, null, 2)],
    ['legacy without project', JSON.stringify({ sessionId: 's', messages: [hi] })],
    ['legacy without ids', JSON.stringify({ sessionId: 's', messages: [{ type: 'user', content: 'x' }] }, null, 2)],
    ['legacy without messages', JSON.stringify({ sessionId: 's', projectHash: 'p' }, null, 2)],
    ['legacy torn', JSON.stringify({ ...HEADER, messages: [hi] }, null, 2).slice(0, -3)],
    ['legacy without session', JSON.stringify({ projectHash: 'p', messages: [hi] }, null, 2)],
    ['weakness-byte order mark', `\ufeff${lines(hi)}`],
    ['weakness-part is null', lines(hi, user('b', [{ functionCall: null }]))],
    ['weakness-text is a number', lines(hi, user('b', { text: 5 }))],
    ['weakness-one part alone is no first prompt', lines(user('a', { text: 'alone' }))],
    ['weakness-summary is a number', lines(hi, set({ summary: 7 }))],
    ['weakness-summary is empty', lines(hi, set({ summary: '' }))],
    ['weakness-thought without words', lines(model('a', '', { thoughts: [{ subject: 's' }] }))],
  ];
}

// --------------------------------------------------------------- generated

const TEXTS = [
  'fix it', '', ' ', '/help', '?', '<session_context>\nToday', '<hook_context>x', 'é 漢字 😀', 'a\nb\t"c"\\',
  ' padded ', 'why?', '<state_snapshot>',
];
const NAMES = ['read_file', 'run_shell_command', 'ls'];
const STATUSES = ['success', 'error', 'cancelled', 'executing', 'scheduled'];

function somePart(random) {
  const name = random.pick(NAMES);
  const id = random.chance(0.6) ? { id: `c${random.below(4)}` } : {};
  return random.pick([
    () => ({ text: random.pick(TEXTS) }),
    () => ({ text: random.pick(TEXTS), thought: true }),
    () => ({ functionCall: { ...id, name, args: { path: 'a.rs' } }, thoughtSignature: 'sig' }),
    () => ({ functionResponse: { ...id, name, response: { output: 'out' } } }),
    () => ({ inlineData: { mimeType: random.pick(['image/png', 'audio/x', 'x/y']), data: 'A'.repeat(random.below(9) * 300) } }),
    () => ({ fileData: { fileUri: 'u' } }),
    () => random.pick(TEXTS),
  ])();
}

function someContent(random) {
  const parts = () => count(random.below(4)).map(() => somePart(random));
  return random.pick([() => random.pick(TEXTS), parts, parts])();
}

function someCall(random) {
  const result = random.pick([
    () => undefined,
    () => null,
    () => '',
    () => 'plain output',
    () => [{ functionResponse: { id: 'c0', name: 'ls', response: { output: 'x' } } }],
    () => ['bare', { text: 'part' }],
    () => ({ functionResponse: { id: 'c1', name: 'ls' } }),
  ])();
  const id = random.chance(0.8) ? `c${random.below(4)}` : undefined;
  return { id, name: random.pick(NAMES), args: { command: 'cargo test' }, result, status: random.pick(STATUSES) };
}

function someMessage(random, id) {
  const type = random.pick(['user', 'user', 'gemini', 'gemini', 'gemini', 'info', 'warning', 'error', 'other']);
  const message = { id, timestamp: '2026-08-21T10:01:00.000Z', type, content: someContent(random) };
  if (random.chance(0.05)) delete message.content;
  if (type !== 'gemini') return message;
  if (random.chance(0.5)) {
    const subject = random.pick(['', 'Plan']);
    message.thoughts = count(random.below(3)).map(() => ({ subject, description: 'think' }));
  }
  if (random.chance(0.5)) message.toolCalls = count(random.below(3)).map(() => someCall(random));
  message.tokens = random.pick([null, { input: 1, output: 2, cached: 0, total: 3 }]);
  return message;
}

function someRecord(random, ids) {
  const fresh = () => {
    ids.push(`m${ids.length}`);
    return ids.at(-1);
  };
  const known = () => (ids.length > 0 ? random.pick(ids) : fresh());
  return random.pick([
    () => someMessage(random, fresh()),
    () => someMessage(random, fresh()),
    () => someMessage(random, fresh()),
    () => someMessage(random, known()),
    () => ({ $rewindTo: random.chance(0.85) ? known() : 'nobody' }),
    () => set({ lastUpdated: '2026-08-21T11:00:00.000Z' }),
    () => set({ summary: random.pick(['one', 'two', null]) }),
    () => set({ memoryScratchpad: random.pick([{ version: 1, validationStatus: 'passed' }, null]) }),
    () => set({ directories: ['/a'], kind: random.pick(['main', 'subagent']) }),
    () => set({ messages: count(random.below(4)).map(() => someMessage(random, random.chance(0.5) ? known() : fresh())) }),
    () => random.pick([7, [], {}, { version: 9 }, { $set: 3 }, { $rewindTo: 1 }]),
  ])();
}

function soup(seed) {
  const random = randomFrom(seed);
  const ids = [];
  const end = random.chance(0.15) ? '\r\n' : '\n';
  const records = count(random.between(1, 9)).map(() => someRecord(random, ids));
  if (random.chance(0.2)) {
    const messages = records.filter((record) => typeof record.id === 'string');
    const whole = { ...HEADER, messages };
    if (random.chance(0.3)) delete whole.projectHash;
    return JSON.stringify(whole, null, random.pick([0, 2]));
  }
  if (random.chance(0.95)) records.splice(random.chance(0.9) ? 0 : random.below(records.length), 0, HEADER);
  const texts = records.map((record) => JSON.stringify(record));
  if (random.chance(0.2)) texts.splice(random.below(texts.length), 0, random.pick(['garbage', '', '{"id":"m0"', '{}}']));
  const text = texts.join(end) + (random.chance(0.8) ? end : '');
  // Half a character cannot be written.
  return random.chance(0.2) ? text.slice(0, random.below(text.length + 1)).toWellFormed() : text;
}

export function sessionCases(ours) {
  const asCase = ([name, text]) => ({ name, input: text });
  return {
    fixed: [...fixedTexts(), ['written by us', ours]].map(asCase),
    generated: count(400).map((index) => asCase([`soup ${index}`, soup(7000 + index)])),
    enough: 300,
    maxBytes: 6000,
  };
}

// --------------------------------------------------------------- scratchpad

function scratchpadCalls(random) {
  const path = () =>
    random.pick([
      '/T/w/src/a.rs', '/T/w', '/elsewhere/b.txt', 'c.rs', 'src\\d.rs', 'noext', '.env', '../up.rs', 'two\nlines/x',
      ` /T/w/e.rs `, `long/${'n'.repeat(100)}/${'m'.repeat(30)}/x/y.rs`, `over/${'n'.repeat(240)}`, '', 'dot.',
    ]);
  const args = () =>
    random.pick([
      () => ({}),
      () => ({ file_path: path() }),
      () => ({ paths: [path(), path()], pattern: '*.rs' }),
      () => ({ deep: { er: { dirName: path() } }, ROOT: path() }),
      () => ({ a: { b: { c: { d: { e: { path: path() } } } } } }),
      () => ({ a: { b: { c: { d: { e: { f: { path: path() } } } } } } }),
      () => ({ command: random.pick(['cargo test', 'A=1 /usr/bin/make build', 'ls -l', '', ' ', 'echo contest', 'npm run check_all', '"my prog" x', '$(x)']) }),
      () => ({ cmd: 'npx vitest', cwd: path() }),
      () => ({ script: 'go vet', command: 5 }),
    ])();
  const name = () => random.pick([...NAMES, 'run_shell_command', 'run_shell_command', ' ', 'my-lint', 'typecheck', 'mcp_x_test', 'Build it']);
  return count(random.between(0, 7)).map(() => ({ id: 'c', name: name(), args: args(), status: random.pick(STATUSES) }));
}

export function scratchpadCases() {
  const asCase = (index) => ({ name: `calls ${index}`, files: [], input: scratchpadCalls(randomFrom(9000 + index)) });
  return { fixed: count(80).map(asCase) };
}

export function programCases() {
  const commands = [
    '', ' ', 'cargo test', '  cargo\ttest', 'A=1 B= make', 'A=1', '/usr/bin/env node', 'C:\\x\\y.exe z', '"a b" c', "'x'y z",
    '`date`', '"a\\"b" c', 'x://y', '/', '//', 'foo/', '$HOME/bin/x', '-x', 'a@b+c.d-e_f', 'é', '"unclosed x', '1=2', '_a1=b c',
    '=x', 'a;b', '(cd x)', '\u00a0ls\u2003x', 'a\\ b',
    'run_shell_command: rm -rf /', 'read_file -> run_shell_command: curl -H secret | paths a, b | validated',
    'run_shell_command: | x', 'run_shell_command:', 'a -> b | c', 'x run_shell_command: y', 'a b -> run_shell_command: X=1 -> 9z -> ok:1.2',
    'run_shell_command: a | validation failed | paths | pathsx | extra', ' run_shell_command:  ls   -l ->  glob ',
  ];
  return { fixed: commands.map((text, index) => ({ name: `text ${index}`, input: text })) };
}
