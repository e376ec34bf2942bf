// Runs real hosts headless, wired by `analects setup`, against the scripted
// model, and checks what came of it.
//
//   node run.mjs --analects FILE --packages DIR --work DIR HOST=VERSION…
//
// Prints one line a host; leaves with 1 if one failed. What a run left behind
// (home, project, requests.jsonl, stdout, stderr) stays in the work directory
// until the next run.

import { execFileSync } from 'node:child_process';
import * as fs from 'node:fs';
import * as path from 'node:path';
import { parseArgs } from 'node:util';
import { STORIES, playAgents } from './agents.mjs';
import * as checks from './checks.mjs';
import { startFakeModel } from './fake-model.mjs';
import { HOSTS } from './hosts.mjs';
import { SETUP_LIMIT_MS, bareEnvironment, environment, makePlace, start, turnsOf } from './place.mjs';
import { checkSessions } from './sessions.mjs';
import { plant, snapshot } from './tree.mjs';
import { PROMPT, memoryFiles, script } from './world.mjs';

async function main() {
  const text = { type: 'string' };
  const options = { analects: text, packages: text, work: text };
  const { values, positionals } = parseArgs({ options, allowPositionals: true });
  let hasFailed = false;
  for (const [name, version] of positionals.map((word) => word.split('='))) {
    const host = HOSTS.find((candidate) => candidate.name === name);
    const started = Date.now();
    const result = await checkHost(host, values);
    const seconds = ((Date.now() - started) / 1000).toFixed(1);
    console.log(`host ${name} ${version}: ${result.passed.length} checks passed (${seconds} s)`);
    for (const failure of result.failed) console.log(`host ${name} ${version}: FAILED: ${failure}`);
    hasFailed ||= result.failed.length > 0;
  }
  process.exitCode = hasFailed ? 1 : 0;
}

async function checkHost(host, { analects, packages, work }) {
  const dir = path.join(work, host.name);
  fs.rmSync(dir, { recursive: true, force: true });
  const result = { passed: [], failed: [] };
  const check = async (name, hold) => {
    try {
      await hold();
      result.passed.push(name);
    } catch (error) {
      result.failed.push(`${name}: ${error.message} (see ${dir})`);
    }
  };
  try {
    const story = await runHost(host, { analects, packages, dir: path.join(dir, 'run') });
    await check('the host ends well', () => checks.finished(story));
    await check('the memory file changes', () => checks.remembered(story));
    await check('the model sees memory', () => checks.seen(story));
    await check('uninstall restores', () => {
      checks.restoredAfterRun(story);
      for (const kind of ['bare', 'worn']) restoresUnused(host, { analects, kind, dir: path.join(dir, kind) });
    });
    if (host.name === 'gemini') {
      await check('sessions go back and forth', () => sessions(host, { analects, packages, dir: path.join(dir, 'sessions') }));
      for (const [n, [name, story]] of Object.entries(STORIES).entries()) {
        await check(name, () => agents(host, { analects, packages, story, dir: path.join(dir, `agents-${n + 1}`) }));
      }
    }
  } catch (error) {
    result.failed.push(`${error.message} (see ${dir})`);
  }
  return result;
}

/** A session that we wrote, resumed by the host. */
async function sessions(host, { analects, packages, dir }) {
  const place = makePlace(dir);
  plant('/', memoryFiles(place));
  const options = { cwd: place.project, env: bareEnvironment(place), timeout: SETUP_LIMIT_MS, encoding: 'utf8' };
  await checkSessions({
    place,
    host,
    packages,
    dir,
    analects: (args) => execFileSync(analects, args, options),
    run: (command, port) => start(command, { cwd: place.project, env: environment(host, place, port), dir }),
  });
}

/** A session that goes from our agent to the host and back. */
async function agents(host, { analects, packages, story, dir }) {
  const place = makePlace(dir);
  plant('/', memoryFiles(place));
  const run = (command, port) => start(command, { cwd: place.project, env: environment(host, place, port), dir });
  await playAgents({
    place,
    story,
    dir,
    settings: host.settings,
    agents: {
      ours: (args, port) => run([analects, '--trust', ...args], port),
      theirs: (args, port) => run([...host.command({ packages, prompt: '' }).slice(0, 2), ...args], port),
    },
    show: async () => JSON.parse((await run([analects, 'session', 'show', 'latest', '--history', '--trust', '--json'], 0)).stdout).history,
  });
}

/** One whole run: set up, one prompt, taken down again; with the trees in between. */
async function runHost(host, { analects, packages, dir }) {
  const place = makePlace(dir);
  const { home, project } = place;
  plant('/', memoryFiles(place));
  const record = path.join(dir, 'requests.jsonl');
  const model = await startFakeModel({ script: script(place), record });
  try {
    const { port } = model;
    plant(home, host.settings({ port }));
    const look = () => snapshot(home, project);
    const before = look();
    setUp(analects, [host.name], place);
    const wired = look();
    const command = host.command({ packages, prompt: PROMPT, home });
    const run = await start(command, { cwd: project, env: environment(host, place, port), dir });
    const ran = look();
    setUp(analects, [host.name, '--uninstall'], place);
    return { host, run, before, wired, ran, after: look(), turns: turnsOf(record), binary: analects };
  } finally {
    model.close();
  }
}

/** Setup and its undoing where no host ran in between: nothing at all may differ; nor does a second setup. */
function restoresUnused(host, { analects, kind, dir }) {
  const place = makePlace(dir);
  if (kind === 'worn') plant(place.home, host.worn());
  const look = () => snapshot(place.home, place.project);
  const before = look();
  setUp(analects, [host.name], place);
  const once = look();
  setUp(analects, [host.name], place);
  checks.restored(once, look());
  setUp(analects, [host.name, '--uninstall'], place);
  checks.restored(before, look());
}

function setUp(analects, args, place) {
  try {
    const options = { cwd: place.project, env: bareEnvironment(place), timeout: SETUP_LIMIT_MS, stdio: 'pipe' };
    execFileSync(analects, ['setup', ...args], options);
  } catch (error) {
    const said = String(error.stderr ?? '').trim() || error.message;
    throw new Error(`analects setup ${args.join(' ')} failed: ${said}`);
  }
}

await main();
