// Asks the original when it sees a loop: in streams of text and calls, and in
// what another model answers.
//
// A stream is told as `picks`: [piece, times]. A piece is a text, a call or
// 'prompt'. Where `chunk` is set, texts that follow one another are joined and
// cut anew into chunks of so many characters. After each verdict the original
// is told to go on; three verdicts are enough.

import * as path from 'node:path';
import { pathToFileURL } from 'node:url';

import { isLive, randomFrom } from './cases.mjs';

const ENOUGH = 3;

export async function answers(core) {
  const load = (module) => import(pathToFileURL(path.join(core, 'dist/src', module)).href);
  const { LoopDetectionService } = await load('services/loopDetectionService.js');
  const { GeminiEventType } = await load('core/turn.js');
  const peer = { LoopDetectionService, GeminiEventType };
  const streams = [...fixedStreams(), ...generatedStreams()];
  const records = streams.map((stream) => ({ ...stream, verdicts: verdicts(stream, peer) }));
  for (const check of checks()) records.push({ ...check, ...(await checked(check, peer)) });
  return records;
}

// ------------------------------------------------------------------- streams

function events({ pieces, picks, chunk }) {
  const all = picks.flatMap(([piece, times]) => Array(times).fill(pieces[piece]));
  if (!chunk) return all.map((piece) => (typeof piece === 'string' ? { text: piece } : piece));
  const joined = [];
  for (const piece of all) {
    const last = joined.at(-1);
    if (typeof piece === 'string' && last?.text) last.text.push(...piece);
    else joined.push(typeof piece === 'string' ? { text: [...piece] } : piece);
  }
  return joined.flatMap((event) => (event.text ? cut(event.text, chunk) : [event]));
}

function cut(chars, size) {
  const chunks = [];
  for (let at = 0; at < chars.length; at += size) {
    chunks.push({ text: chars.slice(at, at + size).join('') });
  }
  return chunks;
}

function verdicts(stream, { LoopDetectionService, GeminiEventType }) {
  const service = new LoopDetectionService({ config: config() });
  const found = [];
  for (const [idx, event] of events(stream).entries()) {
    if (event.prompt) {
      service.reset('next');
      continue;
    }
    const told = event.call
      ? { type: GeminiEventType.ToolCallRequest, value: { name: event.call[0], args: event.call[1] } }
      : { type: GeminiEventType.Content, value: event.text };
    const { count, type } = service.addAndCheck(told);
    if (count === 0) continue;
    found.push([idx, type, count]);
    if (found.length === ENOUGH) break;
    service.clearDetection();
  }
  return found;
}

function config(answer) {
  return {
    getDisableLoopDetection: () => false,
    getUsageStatisticsEnabled: () => false,
    getDebugMode: () => false,
    getBaseLlmClient: () => ({ generateJson: answer }),
    modelConfigService: { getResolvedConfig: ({ model }) => ({ model }) },
  };
}

function fixedStreams() {
  const call = (name, args) => ({ call: [name, args] });
  const prompt = { prompt: true };
  const cycle = (n) => Array.from({ length: n }, (_, idx) => call(`tool${idx}`, { path: '.' }));
  const round = (n, times) => Array.from({ length: n * times }, (_, idx) => [idx % n, 1]);
  const counted = Array.from({ length: 60 }, (_, idx) => `word${idx} `).join('');
  const unit = (length) => counted.slice(0, length);
  const item = `${unit(49)}.`;
  const one = (name, pieces, picks, chunk) => ({ name, pieces, picks, chunk });
  return [
    ...[1, 2, 3, 4, 5, 6].map((n) => one(`cycle of ${n} calls`, cycle(n), round(n, 8))),
    one('order of fields', [call('a', { x: 1, y: 2 }), call('a', { y: 2, x: 1 })], round(2, 6)),
    one('the same call with text between', [call('a', {}), 'Now I look again. '], round(2, 6)),
    one('a prompt between calls', [call('a', {}), prompt], [[0, 4], [1, 1], [0, 5]]),
    one('thirty files', Array.from({ length: 30 }, (_, n) => call('rename', { from: `a${n}` })), round(30, 1)),
    ...[1, 2, 3, 7, 30, 46, 49, 50, 51, 100, 200, 249, 250, 251, 260].map((length) =>
      one(`unit of ${length}`, [unit(length)], [[0, 80]])),
    one('dash items', [`\n- ${item}`], [[0, 14]]),
    one('star items', [`\n* ${item}`], [[0, 14]]),
    one('numbered items', [`\n1. ${item}`], [[0, 14]]),
    one('capitals', ['THE-SAME-TEXT-IN-CAPITALS:1234567890;'], [[0, 30]]),
    one('capitals with blanks', ['THE SAME TEXT IN CAPITALS'], [[0, 30]]),
    one('in a fence', ['```\n', unit(46)], [[0, 1], [1, 20]]),
    one('a fence in two chunks', ['``', '`\n', unit(46)], [[0, 1], [1, 1], [2, 20]]),
    one('a fence and a prompt', ['```\n', unit(46), prompt], [[0, 1], [2, 1], [1, 20], [0, 1], [1, 20]]),
    one('two fences in a chunk', ['```ls``` ', unit(46)], [[0, 1], [1, 20]]),
    one('tables', ['\n| a | b | c | d | e | f | g | h | i |'], [[0, 20]]),
    one('dividers', ['────────────────────────────────'], [[0, 20]]),
    one('a call between', [unit(50), call('a', {})], [[0, 9], [1, 1], [0, 12]]),
    one('more than is remembered', [unit(50), 'x'.repeat(6_000)], [[0, 9], [1, 1], [0, 12]]),
    one('too much at once', [unit(50)], [[0, 200]], 10_000),
    one('more than remembered while chanting', [unit(270), unit(50)], [[0, 18], [1, 90]], 4_000),
    one('crabs', ['🦀'], [[0, 80]]),
    one('crabs, cut', ['🦀🐙🦑🦀'], [[0, 80]], 3),
    one('empty chunks', ['', unit(50)], [[0, 3], [1, 5], [0, 3], [1, 7]]),
    one('four ways between', [item, 'a', 'b', 'c', 'd'], ways(4)),
    one('five ways between', [item, 'a', 'b', 'c', 'd', 'e'], ways(5)),
    one('six ways between', [item, 'a', 'b', 'c', 'd', 'e', 'f'], ways(6)),
    one('nine ways between', [item, 'a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i'], ways(9)),
  ];
}

// The same text, followed by one of n others in turn.
function ways(n) {
  return Array.from({ length: 60 }, (_, idx) => [idx % 2 === 0 ? 0 : 1 + (((idx - 1) / 2) % n), 1]);
}

// -------------------------------------------------------- generated streams

const WORDS = ['the ', 'file ', 'a', 'b', ' and', '. ', 'OK', '记住', '🦀', '🐙', 'é', '7', '-', '\n'];
const LAYOUT = ['\n- ', '\n* ', '\n1. ', '\n# ', '\n> ', '\n| a | b |', '\n|--', '```', '`', '\n\n', '  * ', '\r\n+ ', '\u2028', '===', '\n\t12.\u00a0'];

function generatedStreams() {
  const dice = randomFrom(7);
  const words = (n) => Array.from({ length: n }, () => dice.pick(WORDS)).join('');
  const streams = [];
  for (let n = 0; n < 120; n += 1) {
    const pieces = Array.from({ length: 1 + dice.below(4) }, () => words(1 + dice.below(24)));
    const picks = Array.from({ length: 1 + dice.below(4) }, () => [dice.below(pieces.length), 1 + dice.below(24)]);
    streams.push({ name: `chant ${n}`, pieces, picks: [...picks, ...picks, ...picks], chunk: dice.pick([undefined, 1, 3, 17, 64, 5_100]) });
  }
  for (let n = 0; n < 120; n += 1) {
    const mixed = () => (dice.below(3) === 0 ? dice.pick(LAYOUT) : words(1 + dice.below(12)));
    const pieces = [words(14), ...Array.from({ length: 4 }, mixed)];
    const picks = Array.from({ length: 20 + dice.below(20) }, () => [dice.below(4) === 0 ? dice.below(5) : 0, 1 + dice.below(5)]);
    streams.push({ name: `layout ${n}`, pieces, picks, chunk: dice.pick([undefined, undefined, 1, 2, 5]) });
  }
  for (let n = 0; n < 60; n += 1) {
    const pieces = Array.from({ length: 6 }, (_, idx) => ({ call: [dice.pick(['read', 'edit']), { n: idx % 4 }] }));
    pieces.push('Let me see. ', { prompt: true });
    const cycle = Array.from({ length: 1 + dice.below(6) }, () => [dice.below(6), 1]);
    const picks = [];
    while (picks.length < 60) picks.push(...(dice.below(7) === 0 ? [[dice.below(8), 1]] : cycle));
    streams.push({ name: `calls ${n}`, pieces, picks });
  }
  return streams;
}

// -------------------------------------------------------------- model checks

const TEXT = { text: 'x' };
const CALL = { functionCall: { name: 'ls', args: {} } };
const RESPONSE = { functionResponse: { name: 'ls', response: {} } };
const TURNS = {
  u: { role: 'user', parts: [TEXT] },
  m: { role: 'model', parts: [TEXT] },
  c: { role: 'model', parts: [CALL] },
  t: { role: 'model', parts: [TEXT, CALL] },
  r: { role: 'user', parts: [RESPONSE] },
  e: { role: 'model', parts: [] },
};

// `history`: a letter a turn; `says`: what the models answer, in order: a
// confidence, 'nothing' or 'failure'. After a verdict the original goes on.
function checks() {
  const roll = randomFrom(21);
  const says = () => roll.pick([0, 0.1, 0.44, 0.45, 0.5, 0.89, 0.9, 0.95, 1, 'nothing', 'failure']);
  const some = (most, make) => Array.from({ length: roll.below(most) }, make);
  const random = (_, n) => one(`random ${n}`, {
    history: some(30, () => roll.pick([...'ucrcrmte'])).join(''),
    request: roll.pick(['do it', '', '记住']),
    second: roll.chance(0.7),
    says: some(9, says),
  });
  const one = (name, fields) => ({ check: name, history: 'ucrcrm', request: 'do it', second: true, turns: 90, says: [], ...fields });
  return [
    one('all is well', { says: [0, 0, 0, 0] }),
    one('half sure', { says: [0.5, 0.85, 0.89, 0.05, 0.449, 0.45] }),
    one('odd numbers', { says: [-0.5, 0.1, 0.2] }),
    one('nothing comes', { says: ['nothing', 'failure', 0.3, 'nothing'] }),
    one('both are sure', { says: [0.9, 0.95, 0.2] }),
    one('the second is not', { says: [0.95, 0.1, 0.9, 0.6, 0.3] }),
    one('the second fails', { says: [1, 'failure', 0.95, 'nothing', 0.5] }),
    one('there is no second', { second: false, says: [0.95, 0.2, 0.92] }),
    one('no request', { request: '', history: 'crcrc', says: [0] }),
    one('no request, text first', { request: '', history: 'rrurcc', says: [0] }),
    one('nothing left', { history: 'rrc', says: [0] }),
    one('only calls', { history: 'ccc', request: '', says: [0] }),
    one('more than twenty', { history: 'ucrcrcrcrcrcrcrcrcrcrcrcrcrm', says: [0] }),
    one('more than twenty, cut at an answer', { history: 'ucrcrcrcrcrcrcrcrcrcrcrcrcrcr', says: [0] }),
    one('text beside a call', { history: 'utrtrtet', says: [0] }),
    ...Array.from({ length: isLive() ? 60 : 0 }, random),
  ];
}

async function checked({ history, request, second, turns, says }, { LoopDetectionService }) {
  const asked = [];
  const found = [];
  const left = [...says];
  let turn = 0;
  const answer = async ({ modelConfigKey: { model }, contents, maxAttempts }) => {
    const said = left.length > 0 ? left.shift() : 0;
    asked.push({ turn, model, attempts: maxAttempts, contents: contents.map(shape).join(' ') });
    if (said === 'failure') throw new Error('failed');
    if (said === 'nothing') return {};
    return { unproductive_state_analysis: 'why', unproductive_state_confidence: said };
  };
  const context = {
    config: { ...config(answer), getModelAvailabilityService: () => ({ snapshot: () => ({ available: second }) }) },
    geminiClient: { getHistory: () => [...history].map((letter) => TURNS[letter]) },
  };
  const service = new LoopDetectionService(context);
  service.reset('prompt', request);
  for (turn = 1; turn <= turns; turn += 1) {
    const { count, type } = await service.turnStarted(new AbortController().signal);
    if (count > 0) found.push([turn, type, count]);
    service.clearDetection();
  }
  return { asked, found };
}

function shape({ role, parts }) {
  const kinds = parts.map((part) => (part.functionCall ? 'call' : part.functionResponse ? 'response' : 'text'));
  return `${role}:${kinds.join('+')}`;
}
