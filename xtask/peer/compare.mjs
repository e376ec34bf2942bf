// Gemini CLI's side of `cargo xtask compare`: its own functions do one thing as
// often as they are asked to, and this says how long that took.
//
//   node compare.mjs CORE61 CORE40
//
// Both directories hold a node_modules with that version of
// @google/gemini-cli-core. A line of JSON on stdin names a task, its inputs and
// how often it is done; a line on stdout says the nanoseconds of one time and
// what came out of it. A module is loaded when it is first needed, outside of
// the time.

import * as fs from 'node:fs';
import * as path from 'node:path';
import * as readline from 'node:readline';
import { pathToFileURL } from 'node:url';

const [core61, core40] = process.argv.slice(2);

function from(core) {
  const source = path.resolve(core, 'node_modules/@google/gemini-cli-core/dist/src');
  return (module) => import(pathToFileURL(path.join(source, module)).href);
}

// The program itself drops what is only of use to its authors; to print it would cost time and spoil the answers.
for (const name of ['debug', 'log', 'info', 'warn']) console[name] = () => {};

const from61 = from(core61);
const from40 = from(core40);

// Each prepares a task outside of the time. `job` is timed, `tell` says what came out of it.
const tasks = {
  // As its config calls it, with no limit on directories.
  async load({ dir, names }) {
    const { loadServerHierarchicalMemory } = await from40('utils/memoryDiscovery.js');
    const { FileDiscoveryService } = await from40('services/fileDiscoveryService.js');
    const { setGeminiMdFilename } = await from40('tools/memoryTool.js');
    const { flattenMemory } = await from40('config/memory.js');
    const filtering = { respectGitIgnore: false, respectGeminiIgnore: true };
    const cwd = path.join(dir, 'repo');
    const extensions = { getExtensions: () => [] };
    setGeminiMdFilename(names);
    return {
      async job() {
        const service = new FileDiscoveryService(cwd, filtering);
        const loaded = await loadServerHierarchicalMemory(
          cwd, [], service, extensions, true, 'tree', filtering, Number.MAX_SAFE_INTEGER, ['.git'],
        );
        return { files: loaded.filePaths, text: flattenMemory(loaded.memoryContent) };
      },
      tell: ({ files, text }) => ({
        files: files.map((file) => file.slice(dir.length)).sort(byBytes),
        // Which of several names comes first is a matter of taste.
        rules: rules(text).sort(byBytes),
      }),
    };
  },

  // The same arguments as readGeminiMdFiles passes.
  async imports({ dir }) {
    const { processImports } = await from61('utils/memoryImportProcessor.js');
    const repo = path.join(dir, 'repo');
    return {
      async job() {
        const text = await fs.promises.readFile(path.join(repo, 'GEMINI.md'), 'utf8');
        return processImports(text, repo, false, undefined, undefined, 'tree', ['.git']);
      },
      tell: ({ content }) => rules(content),
    };
  },

  async replay({ file }) {
    const { loadConversationRecord } = await from61('services/chatRecordingService.js');
    return {
      job: () => loadConversationRecord(file),
      tell: ({ messageCount, userMessageCount }) => ({ messages: messageCount, prompts: userMessageCount }),
    };
  },

  async resume({ file }) {
    const { loadConversationRecord } = await from61('services/chatRecordingService.js');
    const { convertSessionToClientHistory, ensureStableToolIds } = await from61('utils/sessionUtils.js');
    return {
      async job() {
        const turns = convertSessionToClientHistory((await loadConversationRecord(file)).messages);
        ensureStableToolIds(turns);
        return turns;
      },
      tell: (turns) => ({ turns: turns.length, ids: turns.map(({ id }) => id) }),
    };
  },

  async index({ dir }) {
    const { buildSessionIndex } = await from61('services/memoryService.js');
    const chats = path.join(dir, 'home/.gemini/tmp/repo/chats');
    return {
      job: () => buildSessionIndex(chats, { runs: [] }),
      tell: ({ sessionIndex }) => sessionIndex.split('\n').map((line) => line.slice(0, line.indexOf(' — '))),
    };
  },

  async loops({ file, chars }) {
    const { LoopDetectionService } = await from61('services/loopDetectionService.js');
    const { GeminiEventType } = await from61('core/turn.js');
    const config = {
      getDisableLoopDetection: () => false,
      getUsageStatisticsEnabled: () => false,
      getDebugMode: () => false,
    };
    const told = pieces(text(file), chars).map((value) => ({ type: GeminiEventType.Content, value }));
    return {
      job() {
        const service = new LoopDetectionService({ config });
        return told.findIndex((event) => service.addAndCheck(event).count > 0);
      },
      tell: (seen) => (seen < 0 ? null : seen),
    };
  },

  async estimate({ file }) {
    const { estimateTokenCountSync } = await from61('utils/tokenCalculation.js');
    const parts = text(file).split('\n\n').map((paragraph) => ({ text: paragraph }));
    return { job: () => estimateTokenCountSync(parts), tell: (tokens) => tokens };
  },

  async cut({ file, chars }) {
    const { formatTruncatedToolOutput } = await from61('utils/fileUtils.js');
    const whole = text(file);
    return {
      job: () => formatTruncatedToolOutput(whole, KEPT, chars),
      tell: (shown) => shown,
    };
  },

  async 'cut bytes'({ file, chars }) {
    const { formatTruncatedToolOutput } = await from61('utils/fileUtils.js');
    const bytes = fs.readFileSync(file);
    return {
      job: () => formatTruncatedToolOutput(bytes.toString('utf8'), KEPT, chars),
      tell: (shown) => shown,
    };
  },
};

// Where an output is said to lie whole.
const KEPT = '/t/run_shell_command_c1.txt';

const texts = new Map();

function text(file) {
  if (!texts.has(file)) texts.set(file, fs.readFileSync(file, 'utf8'));
  return texts.get(file);
}

// A text in pieces of so many characters.
function pieces(whole, chars) {
  const all = [...whole];
  const found = [];
  for (let at = 0; at < all.length; at += chars) found.push(all.slice(at, at + chars).join(''));
  return found;
}

function rules(whole) {
  return whole.split('\n').map((line) => line.trim()).filter((line) => line.startsWith('Rule '));
}

function byBytes(a, b) {
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}

const prepared = new Map();

for await (const line of readline.createInterface({ input: process.stdin })) {
  const request = JSON.parse(line);
  const { times, ...what } = request;
  const key = JSON.stringify(what);
  if (!prepared.has(key)) prepared.set(key, await tasks[request.task](request));
  const { job, tell } = prepared.get(key);
  let took = 0n;
  let answer;
  for (let at = 0; at < times; at += 1) {
    const start = process.hrtime.bigint();
    const waited = job();
    // A function that answers at once is not made to wait.
    const made = waited instanceof Promise ? await waited : waited;
    took += process.hrtime.bigint() - start;
    if (at === 0) answer = tell(made);
  }
  process.stdout.write(`${JSON.stringify({ nanoseconds: Number(took) / times, answer })}\n`);
}
