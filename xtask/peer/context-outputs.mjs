// Asks the original what outputs cost, how it cuts and masks them, and how
// much of a file or an editor it shows.
//
// In inputs, { "times": [[text, n], …] } stands for a long text. A long answer
// is told by its length and hash. Half characters, which the original leaves
// where it cuts, are taken out.

import { createHash } from 'node:crypto';
import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import { pathToFileURL } from 'node:url';

import { isLive, randomFrom } from './cases.mjs';

const LONG = 600;

export async function answers(core) {
  const load = (module) => import(pathToFileURL(path.join(core, 'dist/src', module)).href);
  const peer = {
    ...(await load('utils/tokenCalculation.js')),
    ...(await load('utils/fileUtils.js')),
    ...(await load('context/truncation.js')),
    ...(await load('context/toolOutputMaskingService.js')),
    ...(await load('context/chatCompressionService.js')),
    ...(await load('ide/ideContext.js')),
    ...(await load('utils/ignorePatterns.js')),
    GeminiClient: (await load('core/client.js')).GeminiClient,
  };
  const dir = fs.mkdtempSync(path.join(os.tmpdir(), 'analects-outputs-'));
  const home = process.cwd();
  // So that paths are the same wherever it lies.
  process.chdir(dir);
  try {
    const records = [];
    const kinds = { estimates, cuts, names, normals, masks, budgets, kinds: fileKinds, binaries, pages, editors };
    for (const [ask, run] of Object.entries(kinds)) {
      for (const record of await run(peer, dir)) records.push({ ask, ...record });
    }
    return records;
  } finally {
    process.chdir(home);
    fs.rmSync(dir, { recursive: true, force: true });
  }
}

// --------------------------------------------------------------------- texts

function times(...pieces) {
  return { times: pieces };
}

// An input with its long texts written out.
function whole(value) {
  if (Array.isArray(value)) return value.map(whole);
  if (value === null || typeof value !== 'object') return value;
  if (Array.isArray(value.times)) return value.times.map(([text, n]) => text.repeat(n)).join('');
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, whole(item)]));
}

function told(text) {
  const written = text.toWellFormed().replaceAll('\uFFFD', '');
  if (written.length <= LONG) return written;
  const hash = createHash('sha256').update(written).digest('hex');
  return { length: written.length, hash };
}

const WORDS = ['plain', ' ', 'é', '记住', '🦀', '"', '\\', '\n', '\t', '\u0007', 'x'.repeat(40)];

function words({ below, pick }, most = 12) {
  return Array.from({ length: below(most) }, () => pick(WORDS)).join('');
}

// ----------------------------------------------------------------- estimates

function somePart(roll, depth = 0) {
  const media = { mimeType: roll.pick(['image/png', 'application/pdf', 'audio/mp3', 'text/plain']) };
  const kinds = [
    () => ({ text: words(roll) }),
    () => ({ text: words(roll), thought: true }),
    () => ({ functionCall: { id: 'c', name: 'ls', args: { path: words(roll), deep: [1, words(roll), null] } } }),
    () => ({ functionResponse: someResponse(roll, depth) }),
    () => ({ inlineData: { ...media, data: 'QUJD'.repeat(roll.below(9)) } }),
    () => ({ fileData: { ...media, fileUri: `gs://${words(roll)}` } }),
    () => ({ executableCode: { code: words(roll), language: 'PYTHON' } }),
    () => ({ functionCall: { name: 'ls', args: {} }, thoughtSignature: words(roll) }),
  ];
  return roll.pick(kinds)();
}

function someResponse(roll, depth) {
  const response = roll.pick([
    { output: words(roll) },
    { error: words(roll), exitCode: 1 },
    words(roll),
    [1, true, words(roll)],
    { nested: { list: [words(roll), {}, []] } },
  ]);
  const parts = Array.from({ length: depth < 5 ? roll.below(3) : 0 }, () => somePart(roll, depth + 1));
  return { id: 'c', name: roll.pick(['ls', 'read_file']), response, ...(parts.length > 0 && { parts }) };
}

function estimates({ estimateTokenCountSync }) {
  const roll = randomFrom(1);
  const text = (...pieces) => [{ text: times(...pieces) }];
  const cases = [
    [],
    text(['a', 100_000]),
    text(['a', 100_001]),
    text(['记', 100_000]),
    text(['记', 100_001]),
    text(['🦀', 50_000]),
    text(['🦀', 50_000], ['a', 1]),
    [{ functionResponse: { name: 'ls', response: { output: times(['记', 200_000]) } } }],
    [{ functionResponse: { name: 'ls' } }],
    [{ functionCall: { name: 'ls', args: {} }, text: '' }],
    [{}],
    ...Array.from({ length: 150 }, () => Array.from({ length: 1 + roll.below(4) }, () => somePart(roll))),
  ];
  return cases.map((parts) => ({ parts, tokens: estimateTokenCountSync(whole(parts)) }));
}

// ---------------------------------------------------------------------- cuts

const TEXTS = [
  times(['a', 100]),
  times(['line of words\n', 300]),
  times(['line of words\r\n', 300]),
  times(['记住', 200], ['\n', 3], ['end', 9]),
  times(['x🦀', 300]),
  times(['z', 100_000]),
];

// More texts for a live round.
function moreTexts(seed, n) {
  const roll = randomFrom(seed);
  const piece = () => [words(roll, 9), 1 + roll.below(roll.pick([3, 40, 900]))];
  return isLive() ? Array.from({ length: n }, () => times(...Array.from({ length: 1 + roll.below(4) }, piece))) : [];
}

function cuts({ formatTruncatedToolOutput }) {
  const roll = randomFrom(8);
  const records = [];
  for (const text of moreTexts(18, 60)) {
    const max = 1 + roll.below(roll.pick([20, 300, 5_000]));
    records.push({ text, max, shown: told(formatTruncatedToolOutput(whole(text), '/t/a.txt', max)) });
  }
  for (const text of TEXTS) {
    for (const max of [1, 4, 50, 99, 100, 101, 250, 1_999, 40_000]) {
      records.push({ text, max, shown: told(formatTruncatedToolOutput(whole(text), '/t/a.txt', max)) });
    }
  }
  return records;
}

async function names({ saveTruncatedToolOutput }, dir) {
  const labels = [
    ['ls', 'call-1'], ['ls', 'ls-17-a'], ['ls', 'LS-17'], ['Run Shell', '../A'], ['tool.x', 'é🦀'],
    ['run_shell_command', 'run_shell_command_1'], ['a/b', 'a_b_1'], ['ls', '7'],
  ];
  const roll = randomFrom(9);
  const word = () => Array.from({ length: 1 + roll.below(4) }, () => roll.pick(['ls', 'Run', '_', '-', '.', '/', ' ', 'é', '🦀', '7', 'call', '..', 'mcp_x'])).join('');
  for (let n = 0; isLive() && n < 60; n += 1) labels.push([word(), word()]);
  const records = [];
  for (const [tool, id] of labels) {
    const { outputFile } = await saveTruncatedToolOutput('x', tool, id, dir);
    records.push({ tool, id, name: path.basename(outputFile) });
  }
  return records;
}

function normals(peer) {
  const roll = randomFrom(2);
  const records = [];
  for (const text of moreTexts(19, 60)) {
    const [target, head] = [roll.below(roll.pick([20, 400, 6_000])), roll.pick([0.2, 0.25])];
    records.push({ text, target, head, shown: told(peer.truncateProportionally(whole(text), target, '[P]', head)) });
    const tokens = roll.below(3_000);
    records.push({ text, tokens, units: peer.estimateCharsFromTokens(whole(text), tokens) });
  }
  for (const text of TEXTS) {
    for (const target of [0, 5, 8, 9, 10, 80, 99, 333, 5_000]) {
      for (const head of [0.2, 0.25]) {
        const shown = peer.truncateProportionally(whole(text), target, '[P]', head);
        records.push({ text, target, head, shown: told(shown) });
      }
    }
    for (const tokens of [0, 1, 10, 100, 12_345]) {
      records.push({ text, tokens, units: peer.estimateCharsFromTokens(whole(text), tokens) });
    }
  }
  for (let n = 0; n < 40; n += 1) {
    const field = () => roll.pick([7, null, ['x'], 'short', times([words(roll, 9), 1 + roll.below(60)])]);
    const response = { output: field(), error: field(), other: field() };
    const share = roll.pick([0, 0.1, 0.33, 0.5, 0.9, 1]);
    const saved = roll.pick([undefined, '/t/a.txt']);
    const part = { functionResponse: { id: 'c', name: 'ls', response: whole(response) } };
    const after = peer.normalizeFunctionResponse(part, share, 0.2, saved).functionResponse.response;
    records.push({ response, share, saved, after: JSON.parse(JSON.stringify(after), mend) });
  }
  return records;
}

const mend = (_, item) => (typeof item === 'string' ? told(item) : item);

// ------------------------------------------------------------------- histories

function call(id, name) {
  return { role: 'model', parts: [{ functionCall: { id, name, args: {} } }] };
}

function answer(id, name, response, rest = {}) {
  return { role: 'user', parts: [{ functionResponse: { id, name, response, ...rest } }] };
}

function someHistory(roll, response) {
  const tools = ['ls', 'run_shell_command', 'read_file', 'ask_user', 'activate_skill'];
  const turns = [{ role: 'user', parts: [{ text: 'please' }] }];
  for (let n = 0; n < 2 + roll.below(5); n += 1) {
    const calls = Array.from({ length: 1 + roll.below(2) }, (_, at) => [`c${n}-${at}`, roll.pick(tools)]);
    turns.push({ role: 'model', parts: calls.map(([id, name]) => call(id, name).parts[0]) });
    const parts = calls.map(([id, name]) => answer(id, name, response(roll)).parts[0]);
    if (roll.below(4) === 0) parts.push({ text: 'and this' });
    turns.push({ role: 'user', parts });
    if (roll.below(3) === 0) turns.push({ role: 'model', parts: [{ text: 'done' }] });
  }
  return roll.below(2) === 0 ? [...turns, call('last', 'ls')] : turns;
}

// Only what was changed: [turn, part, response]. The path is `@`.
function changed(before, after) {
  const changes = [];
  after.forEach((turn, turnIdx) => {
    (turn.parts ?? []).forEach((part, partIdx) => {
      const was = before[turnIdx].parts[partIdx];
      if (JSON.stringify(was) === JSON.stringify(part)) return;
      const { response } = part.functionResponse;
      const hidden = JSON.stringify(response).replace(/(available at: |output see: )[^\\"]+/, '$1@');
      changes.push([turnIdx, partIdx, JSON.parse(hidden, mend)]);
    });
  });
  return changes;
}

function shellOutput(roll) {
  const section = () => roll.pick([
    `Output: ${words(roll)}\n`, `Error: ${words(roll)}\n`, 'Exit Code: 3\n', 'Signal: 9\n',
    'Background PIDs: 1, 2\n', 'Process Group PGID: 77\n', '  indented Output: no\n', 'Output:none\n',
  ]);
  return Array.from({ length: roll.below(5) }, section).join('');
}

function maskable(roll) {
  return roll.pick([
    () => ({ output: times(['row of words\n', roll.below(400)]) }),
    () => ({ output: times(['Output: a\n', 1], ['row\n', 30 + roll.below(300)], ['Error: b\nExit Code: 1', 1]) }),
    () => ({ output: times([`${shellOutput(roll)}rows\n`, 1 + roll.below(200)]), exitCode: roll.pick([0, 1, null]) }),
    () => ({ stdout: times([`${shellOutput(roll)}pid\n`, 1 + roll.below(200)]), exit_code: 2, error: 'bad' }),
    () => times(['bare text 记🦀 ', roll.below(200)]),
    () => ({ content: times(['x', roll.below(9_000)]) }),
    () => ({ output: { deep: times(['y', roll.below(3_000)]) } }),
    () => ({ output: 7, rows: times(['z', 2_700]) }),
    () => ({ output: times(['<tool_output_masked>was', 1], ['!', 400]) }),
    () => null,
    () => '',
    () => 0,
    () => [times(['q', roll.below(3_000)])],
  ])();
}

// Whether a mask saves something depends on the length of its path, a part of
// which is random. Cases in which a longer path makes a difference are left out.
async function masks({ ToolOutputMaskingService }) {
  const roll = randomFrom(3);
  const records = [];
  while (records.length < 120) {
    const history = someHistory(roll, maskable);
    const protect = roll.pick([0, 100, 300, 1_000]);
    const prune = roll.pick([0, 1, 200, 2_000]);
    const masked = async (dir) => {
      const config = {
        getToolOutputMaskingConfig: async () => ({
          protectionThresholdTokens: protect, minPrunableThresholdTokens: prune, protectLatestTurn: true,
        }),
        getSessionId: () => 's1',
        getUsageStatisticsEnabled: () => false,
        storage: { getProjectTempDir: () => dir },
      };
      const before = whole(history);
      const { newHistory, maskedCount } = await new ToolOutputMaskingService().mask(before, config);
      return { count: maskedCount, changes: changed(before, newHistory) };
    };
    const [short, long] = [await masked('.'), await masked('long'.repeat(40))];
    if (short.count === long.count) records.push({ history, protect, prune, ...short });
  }
  return records;
}

// The budget is a constant of 50,000 tokens, so the outputs are large.
function large(roll) {
  return roll.pick([
    () => ({ output: times(['row of words\n', roll.below(20_000)]) }),
    () => ({ content: times(['记', roll.below(60_000)]), beside: 1 }),
    () => times(['bare 🦀', roll.below(12_000)]),
    () => ({ rows: [times(['x', roll.below(200_000)])] }),
    () => ({ error: times(['e', roll.below(200_000)]) }),
    () => ({ output: 'short' }),
  ])();
}

async function budgets({ ChatCompressionService }) {
  const roll = randomFrom(4);
  const records = [];
  for (let n = 0; n < 60; n += 1) {
    const history = someHistory(roll, large);
    const threshold = roll.pick([100, 400, 40_000]);
    let id = 0;
    const config = {
      getHookSystem: () => undefined,
      getCompressionThreshold: async () => 0,
      getNextCompressionTruncationId: () => (id += 1),
      getTruncateToolOutputThreshold: () => threshold,
      storage: { getProjectTempDir: () => '.' },
    };
    const before = whole(history);
    // After a failure nothing but this is done.
    const chat = { getHistory: () => before, getLastPromptTokenCount: () => 1e9 };
    const service = new ChatCompressionService();
    const { newHistory } = await service.compress(chat, 'p', false, 'gemini-2.5-pro', config, true);
    records.push({ history, threshold, changes: changed(before, newHistory) });
  }
  return records;
}

// ------------------------------------------------------------------------ files

async function fileKinds({ detectFileType, BINARY_EXTENSIONS }, dir) {
  const media = 'pdf svg svgz png jpg jpeg jfif gif webp bmp dib avif heic heif tif tiff jxl ktx sgi wmf emf exr apng '
    + 'fits jp2 mp3 wav aif aiff aac adts ogg oga opus spx flac m4a mp2 mid midi kar weba amr au snd xm s3m '
    + 'mp4 m4v mov qt webm ogv mpeg mpg m1v m2v m2t m2ts mts cts ts tsx 3gp 3g2 mj2 h264 m4s '
    + 'jpm jpgm jpgv avi mkv wma ico psd html css js json xml md txt rs toml zipx';
  const binary = BINARY_EXTENSIONS.map((ending) => ending.slice(1));
  const names = [...new Set([...media.split(' '), ...binary])].map((ending) => `a.${ending}`);
  const records = [];
  for (const name of [...names, 'Makefile', '.png', 'a.b.PNG', 'A.Ts', 'a.']) {
    const file = path.join(dir, name);
    const found = [];
    for (const bytes of ['just text\n', Buffer.from([0x89, 0, 1, 2, 3])]) {
      fs.writeFileSync(file, bytes);
      found.push(await detectFileType(file));
    }
    records.push({ name, found });
  }
  return records;
}

function someBytes(roll) {
  const piece = roll.pick([
    () => Buffer.from(words(roll)),
    () => Buffer.from(words(roll), 'latin1'),
    () => Buffer.from([roll.below(256), roll.below(256)]),
    () => Buffer.from('plain text that fills the sample, and more of it\n'),
    () => Buffer.from('记住🦀'),
    () => Buffer.from([8, 1 + roll.below(127), 0x12, 1, 0x41]),
  ]);
  const lead = roll.pick([[], [], [], [0xef, 0xbb, 0xbf], [0xff, 0xfe], [0xfe, 0xff], [0x84, 0x31, 0x95, 0x33], [0x25, 0x50, 0x44, 0x46, 0x2d]]);
  const pieces = Array.from({ length: roll.below(14) }, piece);
  return Buffer.concat([Buffer.from(lead), ...pieces]).subarray(0, 700);
}

async function binaries({ isBinaryFile }, dir) {
  const roll = randomFrom(5);
  const file = path.join(dir, 'sample');
  const records = [];
  for (let n = 0; n < 250; n += 1) {
    const bytes = someBytes(roll);
    fs.writeFileSync(file, bytes);
    // A byte is the character of its number.
    records.push({ bytes: bytes.toString('latin1'), binary: await isBinaryFile(file) });
  }
  return records;
}

async function pages({ processSingleFileContent }, dir) {
  const roll = randomFrom(6);
  const file = path.join(dir, 'page.txt');
  const texts = [
    '', '\n', 'a', 'a\n', 'a\r\nb\rc\n', times(['x\n', 2_000]), times(['x\n', 1_999], ['x', 1]),
    times(['line\r\n', 2_500]), times(['y', 2_000]), times(['y', 2_001], ['\nz', 1]),
    times(['🦀', 1_500], ['\n', 1], ['记', 2_500]), times(['row\n', 5_000], ['w', 3_000]),
  ];
  texts.push(...moreTexts(20, 30));
  const ranges = [[], [1], [2, 3], [undefined, 2], [3, 2], [1_999], [2_001, 2_100], [9_999], [0, 0], [1, 4_000]];
  const records = [];
  for (const text of texts) {
    fs.writeFileSync(file, whole(text));
    for (const [start, end] of roll.below(3) === 0 ? ranges : ranges.slice(roll.below(3))) {
      const result = await processSingleFileContent(file, dir, undefined, start, end);
      const { llmContent, returnDisplay, isTruncated, originalLineCount, linesShown } = result;
      records.push({
        text, start, end, shown: told(llmContent), display: returnDisplay,
        truncated: isTruncated, lines: originalLineCount, range: linesShown,
      });
    }
  }
  return records;
}

// ---------------------------------------------------------------------- editors

function someFiles(roll) {
  const file = () => ({
    path: roll.pick(['/a', '/b', '/c', '/d', '/e']),
    timestamp: roll.below(9),
    isActive: roll.below(2) === 0,
    ...(roll.below(2) === 0 && { cursor: { line: roll.below(3), character: roll.below(3) } }),
    ...(roll.below(2) === 0 && { selectedText: roll.pick(['', 'x', times(['y', 16_385]), times(['z🦀', 9_000])]) }),
  });
  return Array.from({ length: roll.pick([0, 1, 2, 3, 5, 14]) }, file);
}

function editors({ ideContextStore, GeminiClient }) {
  const roll = randomFrom(7);
  const settle = (files) => {
    ideContextStore.set({ workspaceState: { openFiles: whole(files) } });
    return structuredClone(ideContextStore.get());
  };
  // The JSON between the fences, if anything is sent.
  const sent = (last, isFull) => {
    const client = { lastSentIdeContext: last, config: { getDebugMode: () => false } };
    const { contextParts } = GeminiClient.prototype.getIdeContextParts.call(client, isFull);
    return contextParts.length > 0 ? JSON.parse(contextParts[2], mend) : null;
  };
  const records = [];
  for (let n = 0; n < 120; n += 1) {
    const before = someFiles(roll);
    const now = roll.below(5) === 0 ? before : someFiles(roll);
    const last = settle(before);
    const settled = JSON.parse(JSON.stringify(settle(now).workspaceState.openFiles), mend);
    records.push({ before, now, settled, full: sent(last, true), changes: sent(last, false) });
  }
  return records;
}
