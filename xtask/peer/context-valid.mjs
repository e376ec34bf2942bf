// Asks the original where it would cut a history, what of one counts, what it
// makes of a broken one, and what its routers see.
//
// A turn is [id, role, ...parts], with the usual parts in few words: see
// `packed`. In an answer, a turn of the question is told by its id. In the cases
// about cutting, a turn is a letter, a character and how often it stands there:
// see `turnOf`.

import * as path from 'node:path';
import { pathToFileURL } from 'node:url';
import { count, randomFrom } from './cases.mjs';

export async function answers(core) {
  const load = (module) => import(pathToFileURL(path.join(core, 'dist/src', module)).href);
  const peer = {
    ...(await load('context/chatCompressionService.js')),
    ...(await load('core/geminiChat.js')),
    ...(await load('utils/historyHardening.js')),
    ...(await load('routing/strategies/classifierStrategy.js')),
    ...(await load('routing/strategies/numericalClassifierStrategy.js')),
  };
  const records = [];
  for (const input of cutCases()) records.push({ ask: 'cut', input, output: cut(input, peer) });
  for (const input of talkCases()) {
    const told = (turns) => turns.map((turn) => toldBy(input, turn));
    const output = {
      curated: told(curated(input, 'gemini-1.5-pro', peer)),
      merged: told(curated(input, 'gemini-2.5-pro', peer)),
      hardened: told(peer.hardenHistory(input.map(asTurn)).map(asRow)),
      routing: told(await routed(input, peer.ClassifierStrategy, false)),
      scoring: told(await routed(input, peer.NumericalClassifierStrategy, true)),
    };
    records.push({ ask: 'talk', input: input.map(packedTurn), output });
  }
  return records;
}

// ---------------------------------------------------------------- the asking

const asTurn = ([id, role, parts]) => ({ id, content: { role, parts: structuredClone(parts) } });
const asRow = ({ id, content }) => [id, content.role, content.parts];

function cut({ fraction, turns }, peer) {
  return peer.findCompressSplitPoint(turns.map(turnOf), fraction);
}

// U: a request, M: an answer, C: a call, B: an answer with a call, R: a
// response, S: a response with a request, E: nothing.
function turnOf([letter, character, times]) {
  const text = character.repeat(times);
  const call = { functionCall: { id: 'c', name: 'ls', args: { path: text } } };
  const response = { functionResponse: { id: 'c', name: 'ls', response: { output: text } } };
  const shapes = {
    U: ['user', [{ text }]],
    M: ['model', [{ text }]],
    C: ['model', [call]],
    B: ['model', [{ text }, call]],
    R: ['user', [response]],
    S: ['user', [response, { text }]],
    E: ['model', []],
  };
  const [role, parts] = shapes[letter];
  return { role, parts };
}

function curated(turns, model, peer) {
  const config = {
    getModel: () => model,
    isContextManagementEnabled: () => false,
    getProjectRoot: () => '/T',
  };
  const chat = new peer.GeminiChat({ config, promptId: 's' }, '', [], turns.map(asTurn));
  return chat.getHistoryTurns(true).map(asRow);
}

// The router fails on purpose, once it has told what it was shown.
async function routed(turns, Strategy, isScoring) {
  let shown = [];
  const client = {
    generateJson: async ({ contents }) => {
      shown = contents;
      throw new Error('enough');
    },
  };
  const config = {
    getModel: () => 'gemini-3-pro-preview',
    getNumericalRoutingEnabled: async () => isScoring,
  };
  const history = turns.map((turn) => asTurn(turn).content);
  const context = { history, request: [{ text: 'next' }], signal: new AbortController().signal };
  await new Strategy().route(context, config, client);
  const places = shown.slice(0, -1).map((content) => history.indexOf(content));
  return places.map((place) => turns[place]);
}

// ------------------------------------------------------------- in few words

function toldBy(input, turn) {
  const isSame = (other) => sorted(other) === sorted(turn);
  return input.some(isSame) ? turn[0] : packedTurn(turn);
}

function packedTurn([id, role, parts]) {
  return [id, role, ...parts.map(packed)];
}

// A text is itself; a call, a signed call and a response are ["?" or "^" or "!",
// id, name, what it says], if they are as ours are.
function packed(part) {
  const { functionCall: called, functionResponse: answered, thoughtSignature } = part;
  const signed = thoughtSignature === 'skip_thought_signature_validator';
  const forms = [
    part.text,
    called && [signed ? '^' : '?', called.id, called.name, called.args?.path ?? ''],
    answered && ['!', answered.id, answered.name, answered.response?.output ?? ''],
  ];
  const isWhole = (form) => sorted(unpacked(form)) === sorted(part);
  return forms.find((form) => form !== undefined && isWhole(form)) ?? part;
}

function unpacked(form) {
  if (typeof form === 'string') return text(form);
  const [kind, id, name, said] = form;
  if (kind === '!') return response(id, name, said);
  const more = kind === '^' ? { thoughtSignature: 'skip_thought_signature_validator' } : {};
  return { functionCall: { id, name, args: { path: said } }, ...more };
}

function sorted(value) {
  const inOrder = (_, item) =>
    item && typeof item === 'object' && !Array.isArray(item)
      ? Object.fromEntries(Object.entries(item).sort(([a], [b]) => (a < b ? -1 : 1)))
      : item;
  return JSON.stringify(value, inOrder);
}

// ------------------------------------------------------------------- cutting

const SHAPES = ['', 'U', 'M', 'UMUMU', 'UMUMUM', 'UUCRCRCRM', 'UUCRCRCRC', 'UMUCRCR', 'UCRSM', 'MMM', 'RRR', 'UEUE', 'BRBR'];
const FRACTIONS = [0.7, 0.5, 0.01, 0.99, 1 / 3];
const CHARACTERS = ['x', '记', '🦀', '"', '\n', '\u0001', '\u2028', '\u007f'];

function cutCases() {
  const fixed = SHAPES.flatMap((letters) =>
    FRACTIONS.map((fraction) => ({ fraction, turns: [...letters].map((letter) => [letter, 'x', 50]) })));
  return [...fixed, ...count(200).map((n) => randomCut(randomFrom(8000 + n)))];
}

function randomCut(random) {
  const isLoop = random.chance(0.3);
  const turns = count(random.between(1, 24)).map(() => [
    random.pick([...(isLoop ? 'CRCRCRBSU' : 'UMUMUMCRBSE')]),
    random.pick(CHARACTERS),
    random.chance(0.1) ? random.below(3000) : random.below(80),
  ]);
  return { fraction: random.pick(FRACTIONS), turns };
}

// --------------------------------------------------------------------- talks

const text = (said) => ({ text: said });
const thought = (said) => ({ text: said, thought: true });
const call = (id, name = 'ls', more = {}) => ({ functionCall: { id, name, args: { path: '.' } }, ...more });
const response = (id, name = 'ls', output = 'out') => ({ functionResponse: { id, name, response: { output } } });
const named = (turns) => turns.map(([role, ...parts], n) => [`t${n}`, role === 'U' ? 'user' : 'model', parts]);

function talkCases() {
  return [...fixedTalks().map(named), ...count(300).map((n) => randomTalk(randomFrom(9000 + n)))];
}

function fixedTalks() {
  const user = ['U', text('u')];
  const model = ['M', text('m')];
  const empty = ['M', text('')];
  return [
    [],
    [user],
    [model],
    [user, model, empty, user],
    [user, empty, model],
    [user, ['M', {}], user],
    [user, ['M', thought('')], user],
    [user, ['M', { ...call('1'), text: '' }], user],
    [user, ['M', { text: '', thoughtSignature: 's' }], user],
    [user, ['M', { text: '', callIndex: 1 }], user],
    [user, ['M', thought('hm'), call('1')], ['U', response('1')], model],
    [user, ['M', thought('hm'), call('1', 'ls', { thoughtSignature: 's' }), call('2')], ['U', response('2'), response('1')]],
    [user, ['M', thought('only')], user, model],
    [user, ['M', call('1'), call('2', 'cat')], ['U', text('go on'), response('2', 'cat')], model],
    [user, ['M', call('1')]],
    [user, ['M', call('1')], ['M', call('2')]],
    [['U', response('1')], model, ['U', response('2', 'cat'), text('so')]],
    [['U', text('so'), response('1')]],
    [user, ['M', call('1')], ['U', response('1', 'cat')]],
    [user, ['M', call('1')], ['U', response('2')]],
    [user, ['M', call('1'), call('1')], ['U', response('1')]],
    [user, ['M', call('1')], ['U', response('1'), response('1', 'ls', 'again')]],
    [user, ['M', call('1')], user, model, ['U', response('1')]],
    [['U', response('1')], ['M', call('1')]],
    [user, ['M', call(undefined)], ['U', response(undefined)]],
    [user, ['M', call('1')], ['U', response(undefined)]],
    [user, ['M', call(undefined)], ['U', response('1')]],
    [user, ['M', call('1'), { odd: 1 }], ['U', { ...response('1'), odd: 2 }]],
    [user, ['M', { executableCode: { code: '1' } }, { codeExecutionResult: { output: '1' } }]],
    [['U', { inlineData: { mimeType: 'image/png', data: 'AA' } }, { fileData: { mimeType: 'a/b', fileUri: 'u' } }], model],
    [user, ['M', call('1')], ['U', { functionResponse: { ...response('1').functionResponse, parts: [{ inlineData: { mimeType: 'image/png', data: 'AA' } }] } }]],
    [...count(12).flatMap((n) => [['M', text('m'), call(`c${n}`)], ['U', response(`c${n}`)]])],
    [user, ...count(9).flatMap((n) => [['M', call(`c${n}`)], ['U', response(`c${n}`)]]), model, user],
  ];
}

// Talks of which most are fine, and then something is done to some of them.
function randomTalk(random) {
  const turns = [];
  let n_calls = 0;
  for (const _ of count(random.between(1, 4))) {
    turns.push(['U', text(random.pick(['look', '记', '</state_snapshot>']))]);
    for (const __ of count(random.below(3))) {
      const ids = count(random.between(1, 3)).map(() => `c${(n_calls += 1)}`);
      const before = random.pick([[], [], [text('so')], [thought('hm')]]);
      turns.push(['M', ...before, ...ids.map((id) => call(id, random.pick(['ls', 'cat'])))]);
      const calls = turns.at(-1).slice(1).filter((part) => part.functionCall);
      const answers = calls.map(({ functionCall: { id, name } }) => response(id, name, random.pick(['out', '', '记'])));
      turns.push(['U', ...answers, ...random.pick([[], [], [text('and?')]])]);
    }
    if (random.chance(0.8)) turns.push(['M', text(random.pick(['done', 'm']))]);
  }
  for (const _ of count(random.below(4))) harm(turns, random);
  return named(turns);
}

function harm(turns, random) {
  const at = random.below(turns.length);
  if (turns.length === 0) return;
  random.pick([
    () => turns.splice(at, 1),
    () => turns.splice(at, 0, turns[at]),
    () => turns[at].splice(1, 1),
    () => turns[at].push(turns[at][1] ?? text('more')),
    () => turns[at].reverse().unshift(turns[at].pop()),
    () => turns.splice(at),
    () => turns.splice(0, at),
    () => turns.splice(at, 0, ['M', random.pick([text(''), thought('hm'), text('m')])]),
    () => turns.splice(at, 0, ['U']),
  ])();
}
