// What must hold after a host has run. Each check throws with a sentence.

import * as fs from 'node:fs';
import { OVERRUN } from './fake-model.mjs';
import { differences } from './tree.mjs';
import { FACT, FINAL, MEMORY } from './world.mjs';

/** The host ended well, and the script ended where it should. */
export function finished({ host, run, turns }) {
  if (run.code !== 0) throw new Error(`the host left with ${run.code}`);
  const final = host.finalText(run.stdout);
  if (final !== FINAL) throw new Error(`the final text is ${JSON.stringify(final)}, not ${FINAL}`);
  if (allText(turns.map(({ body }) => body)).includes(OVERRUN)) throw new Error(OVERRUN);
}

/** The tool call reached us: exactly one memory file changed, and it holds the fact. */
export function remembered({ before, after }) {
  const isMemory = (line) => /\.md (changed|is new)$/.test(line) && line.includes('/.gemini/');
  const changed = differences(before, after).filter(isMemory);
  if (changed.length !== 1) throw new Error(`memory files changed: ${changed.join(', ') || 'none'}`);
  const file = changed[0].replace(/ (changed|is new)$/, '');
  const n = count(fs.readFileSync(file, 'utf8'), FACT);
  if (n !== 1) throw new Error(`${file} holds the fact ${n} times`);
}

/**
 * The model sees each line of memory once, whoever put it there; and what the host does not load itself stands
 * where its hooks put text.
 */
export function seen({ host, turns }) {
  const last = turns.at(-1)?.body;
  if (!last) throw new Error('the host asked the model nothing');
  const whole = allText(last);
  const hooked = host.hookTexts(last).join('\n');
  for (const [name, line] of Object.entries(MEMORY)) {
    const n = count(whole, line);
    if (n !== 1) throw new Error(`${name} memory is seen ${n} times: ${line}`);
    const isHooked = hooked.includes(line);
    if (host.byHook.includes(name) && !isHooked) throw new Error(`${name} memory came by no hook`);
  }
  const first = allText(turns[0].body);
  for (const name of Object.keys(MEMORY).filter((key) => key !== 'nearby')) {
    if (!first.includes(MEMORY[name])) throw new Error(`${name} memory is not in the first request`);
  }
  if (first.includes(MEMORY.nearby)) throw new Error('nearby memory came before it was near');
}

/** Nothing is left of us, and nothing else was touched. */
export function restored(before, after) {
  const left = differences(before, after);
  if (left.length > 0) throw new Error(`not as before: ${left.join(', ')}`);
}

/**
 * The same after a run, in which the host wrote files of its own. A file that only we changed is as before; one
 * that the host rewrote too still is what the host wrote, without us.
 */
export function restoredAfterRun({ before, wired, ran, after, binary }) {
  const changedBySetup = new Set(
    [...wired.keys(), ...before.keys()].filter((file) => wired.get(file) !== before.get(file)),
  );
  for (const file of new Set([...ran.keys(), ...after.keys(), ...before.keys()])) {
    const isOurs = changedBySetup.has(file);
    const wasRewritten = ran.get(file) !== wired.get(file);
    if (isOurs && wasRewritten) withoutUs(file, binary);
    else if (isOurs && after.get(file) !== before.get(file)) throw new Error(`${file} is not as before`);
    else if (!isOurs && after.get(file) !== ran.get(file)) throw new Error(`${file} is not ours, but changed`);
  }
}

function withoutUs(file, binary) {
  const stat = fs.lstatSync(file, { throwIfNoEntry: false });
  if (!stat?.isFile()) return;
  const text = fs.readFileSync(file, 'utf8');
  if (text.includes(binary)) throw new Error(`${file} still names ${binary}`);
  if (file.endsWith('.json')) JSON.parse(text);
}

/** All strings inside a value, one a line. */
export function allText(value) {
  if (typeof value === 'string') return `${value}\n`;
  if (!value || typeof value !== 'object') return '';
  return Object.values(value).map(allText).join('');
}

function count(text, wanted) {
  return text.split(wanted).length - 1;
}
