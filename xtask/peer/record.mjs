// Runs the original Gemini CLI functions on our own inputs (cases*.mjs)
// and writes what they answer as golden files for the Rust tests.
//
//   node record.mjs --core61 DIR --core40 DIR --out DIR --state-out DIR --session-out DIR --ours FILE
//     --inbox FILE --context-out DIR --context KIND … [--seed N]
//
// With a seed every random case is another one, and more are asked.
// A KIND is the file context-KIND.mjs, which asks about histories by itself.
// DIR of --core61 / --core40 holds a node_modules with that version of
// @google/gemini-cli-core. In the goldens the temporary directory is `/T`:
// every `/T/` inside an input string stands for it, and it is put back into
// every output string.

import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import {
  count,
  eagerCases,
  flattenCases,
  importCases,
  isLive,
  jitCases,
  tierCases,
  useRound,
} from './cases.mjs';
import { saveCases } from './cases-save.mjs';
import { programCases, scratchpadCases, sessionCases } from './cases-sessions.mjs';
import { registryCases, trustCases } from './cases-state.mjs';
import { askGit } from './git.mjs';
import { askInbox, importInbox, inboxCases } from './inbox.mjs';
import { importSessions, recordProgram, recordScratchpad, recordSession } from './sessions.mjs';
import * as wild from './wild.mjs';

const PLACEHOLDER = '/T';

// ---------------------------------------------------------------- arguments

function readArguments() {
  const text = { type: 'string' };
  const { values } = parseArgs({
    options: {
      core61: text, core40: text, out: text, 'state-out': text, 'session-out': text, ours: text, inbox: text,
      'context-out': text, context: { type: 'string', multiple: true }, seed: text,
    },
  });
  for (const key of ['core61', 'core40', 'out', 'state-out', 'session-out', 'ours', 'inbox', 'context-out', 'context']) {
    if (!values[key]) throw new Error(`missing --${key} DIR`);
  }
  return values;
}

// ------------------------------------------------------------ the originals

function packageIn(directory) {
  return path.resolve(directory, 'node_modules/@google/gemini-cli-core');
}

function importFrom(directory, version) {
  const packageDir = packageIn(directory);
  const manifest = fs.readFileSync(path.join(packageDir, 'package.json'), 'utf8');
  const found = JSON.parse(manifest).version;
  if (found !== version) throw new Error(`wanted core ${version}, found ${found}`);
  return (module) => import(pathToFileURL(path.join(packageDir, 'dist/src', module)).href);
}

async function loadPeers({ core61, core40 }) {
  const from61 = importFrom(core61, '0.61.0');
  const from40 = importFrom(core40, '0.40.0');
  return {
    v61: {
      ...(await from61('config/memory.js')),
      ...(await from61('utils/memoryImportProcessor.js')),
      ...(await from61('utils/workspaceContext.js')),
      ...(await from61('context/memoryContextManager.js')),
      ...(await from61('tools/memoryTool.js')),
      ...(await from61('config/projectRegistry.js')),
      ...(await from61('utils/trust.js')),
      ...(await importSessions(from61)),
      ...(await importInbox(from61)),
    },
    v40: {
      ...(await from40('utils/memoryDiscovery.js')),
      ...(await from40('services/fileDiscoveryService.js')),
      ...(await from40('tools/memoryTool.js')),
    },
  };
}

// The originals report through console; only our own summary is wanted.
function silenceConsole() {
  for (const method of ['log', 'debug', 'info', 'warn', 'error']) {
    console[method] = () => {};
  }
}

// ------------------------------------------------------------ path rewriting

function mapStrings(value, change) {
  if (typeof value === 'string') return change(value);
  if (Array.isArray(value)) return value.map((item) => mapStrings(item, change));
  if (value && typeof value === 'object') {
    const entries = Object.entries(value).filter(([, item]) => item !== undefined);
    return Object.fromEntries(entries.map(([key, item]) => [key, mapStrings(item, change)]));
  }
  return value;
}

function toReal(value, root) {
  const change = (text) =>
    text === PLACEHOLDER ? root : text.split(`${PLACEHOLDER}/`).join(`${root}/`);
  return mapStrings(value, change);
}

function toPortable(value, root) {
  return mapStrings(value, (text) => text.split(root).join(PLACEHOLDER));
}

// ------------------------------------------------------------------ the tree

function buildEntry(entry) {
  if (entry.dir) {
    fs.mkdirSync(entry.path, { recursive: true });
    return;
  }
  fs.mkdirSync(path.dirname(entry.path), { recursive: true });
  if (entry.link !== undefined) fs.symlinkSync(entry.link, entry.path);
  else if (entry.base64 !== undefined) {
    fs.writeFileSync(entry.path, Buffer.from(entry.base64, 'base64'));
  } else fs.writeFileSync(entry.path, entry.text);
}

// The upward searches do not stop at the temporary directory: a stray marker
// above it would silently change the goldens.
function assertNothingAbove(root, names) {
  for (let dir = path.dirname(root); ; dir = path.dirname(dir)) {
    for (const name of names) {
      const unusable = name === '' || name.includes('..') || path.isAbsolute(name);
      if (!unusable && fs.existsSync(path.join(dir, name))) {
        throw new Error(`${name} exists above the temporary directory`);
      }
    }
    if (dir === path.dirname(dir)) return;
  }
}

async function inTree(testCase, run) {
  const created = fs.mkdtempSync(path.join(os.tmpdir(), 'analects-peer-'));
  const root = fs.realpathSync(created);
  try {
    const { markers = [], names = [] } = testCase.input;
    assertNothingAbove(root, ['.git', 'GEMINI.md', ...markers, ...names]);
    toReal(testCase.files, root).forEach(buildEntry);
    process.env.GEMINI_CLI_HOME = path.join(root, 'home');
    return toPortable(await run(toReal(testCase.input, root)), root);
  } finally {
    fs.rmSync(created, { recursive: true, force: true });
  }
}

// --------------------------------------------------------------- stub config

function extensionLoader(contextFiles) {
  return { getExtensions: () => [{ isActive: true, contextFiles }] };
}

function stubConfig(input, v61) {
  const workspace = new v61.WorkspaceContext(input.cwd, input.includeDirs);
  const privateDir = path.join(input.home, '.gemini', 'tmp', input.projectId, 'memory');
  return {
    isTrustedFolder: () => input.trusted,
    getWorkspaceContext: () => workspace,
    getExtensionLoader: () => extensionLoader(input.extensions),
    getMemoryBoundaryMarkers: () => input.markers,
    getImportFormat: () => input.importFormat,
    getMcpClientManager: () => undefined,
    storage: { getProjectMemoryDir: () => privateDir },
  };
}

// 0.61.0 puts configured names before the current list, so a session starts
// from the default list; what counts afterwards is the resulting list.
function effectiveNames(configured, v61) {
  v61.resetGeminiMdFilename();
  if (configured.length > 0) v61.setGeminiMdFilename(configured);
  return [...v61.getAllGeminiMdFilenames()];
}

// ------------------------------------------------------------------ recorders

function recordFlatten({ name, input }, { v61 }) {
  return { name, input, output: v61.flattenMemory(input) };
}

async function recordImports(testCase, { v61 }) {
  const output = await inTree(testCase, async ({ text, base, markers, format }) => {
    // The same arguments as readGeminiMdFiles passes: no import state (hence
    // no current file) and no project root.
    const result = await v61.processImports(
      text, base, false, undefined, undefined, format, markers,
    );
    return { content: result.content, tree: result.importTree };
  });
  return withOutput(testCase, output);
}

async function recordTiers(testCase, { v61 }) {
  const prepared = withEffectiveNames(testCase, v61);
  const output = await inTree(prepared, async (input) => {
    const manager = new v61.MemoryContextManager(stubConfig(input, v61));
    await manager.refresh();
    return {
      global: manager.getGlobalMemory(),
      extension: manager.getExtensionMemory(),
      project: manager.getEnvironmentMemory(),
      userProject: manager.getUserProjectMemory(),
      paths: [...manager.getLoadedPaths()],
    };
  });
  return withOutput(prepared, output);
}

async function recordJit(testCase, { v61 }) {
  const prepared = withEffectiveNames(testCase, v61);
  const output = await inTree(prepared, async (input) => {
    const manager = new v61.MemoryContextManager(stubConfig(input, v61));
    await manager.refresh();
    const before = new Set(manager.getLoadedPaths());
    const text = await manager.discoverContext(input.accessed, input.trustedRoots);
    const paths = [...manager.getLoadedPaths()].filter((loaded) => !before.has(loaded));
    return { text, paths };
  });
  return withOutput(prepared, output);
}

async function recordEager(testCase, { v40 }) {
  const output = await inTree(testCase, async (input) => {
    const filtering = {
      respectGitIgnore: input.respectGitIgnore,
      respectGeminiIgnore: input.respectGeminiIgnore,
      customIgnoreFilePaths: input.customIgnore,
    };
    v40.setGeminiMdFilename(input.names);
    const result = await v40.loadServerHierarchicalMemory(
      input.cwd,
      input.loadFromIncludeDirs ? input.includeDirs : [],
      new v40.FileDiscoveryService(input.cwd, filtering),
      extensionLoader(input.extensions),
      input.trusted,
      input.importFormat,
      filtering,
      input.maxDirs,
      input.markers,
    );
    const { global, extension, project } = result.memoryContent;
    return { global, extension, project, paths: result.filePaths };
  });
  return withOutput(testCase, output);
}

// Where save_memory writes, and what lies there before.
function saveFiles(target, { before, beforeBase64, layout }) {
  const elsewhere = '/T/elsewhere/target.md';
  const text = (file) => (before === null ? [] : [{ path: file, text: before }]);
  switch (layout) {
    case 'directory': return [{ path: target, dir: true }];
    case 'parent-is-file': return [{ path: path.dirname(target), text: 'in the way\n' }];
    case 'link': return [...text(elsewhere), { path: target, link: elsewhere }];
    case 'dangling-link':
      return [{ path: path.dirname(elsewhere), dir: true }, { path: target, link: elsewhere }];
    default:
      return beforeBase64 ? [{ path: target, base64: beforeBase64 }] : text(target);
  }
}

function readIfFile(file) {
  const isFile = fs.existsSync(file) && fs.statSync(file).isFile();
  return isFile ? fs.readFileSync(file, 'utf8') : null;
}

async function confirmSave(invocation, target, { outcome = 'proceed_once', meanwhile }) {
  const asked = await invocation.shouldConfirmExecute(new AbortController().signal, 'ask_user');
  if (asked) await asked.onConfirm(outcome);
  if (meanwhile !== undefined) fs.writeFileSync(target, meanwhile);
  const { onConfirm, ...details } = asked;
  return asked && details;
}

// One call, from its arguments to the file it leaves.
async function saveOnce(tool, target, params, testCase) {
  const step = {};
  let at = 'build';
  try {
    const invocation = tool.build(params);
    at = 'confirm';
    if (testCase.ask) step.confirmation = await confirmSave(invocation, target, testCase);
    at = 'execute';
    const result = await invocation.execute({ abortSignal: new AbortController().signal });
    step.message = result.returnDisplay;
    step.llm = result.llmContent;
    if (result.error) step.error = { at, ...result.error };
  } catch (error) {
    step.message = error.message;
    step.error = { at, message: error.message };
  }
  const { confirmation, ...answer } = step;
  return { after: readIfFile(target), ...answer, confirmation };
}

async function recordSave(testCase, { v40 }) {
  const { scope, facts, names = ['GEMINI.md'], params, noStorage, layout } = testCase;
  const places = {
    global: `/T/home/.gemini/${names[0]}`,
    project: '/T/home/.gemini/tmp/proj/memory/MEMORY.md',
  };
  const files = saveFiles(places[scope], testCase);
  const output = await inTree({ files, input: { target: places[scope] } }, async ({ target }) => {
    v40.setGeminiMdFilename(names);
    const home = process.env.GEMINI_CLI_HOME;
    const privateDir = path.join(home, '.gemini/tmp/proj/memory');
    const storage = noStorage ? undefined : { getProjectMemoryDir: () => privateDir };
    const tool = new v40.MemoryTool(undefined, storage);
    const steps = [];
    for (const call of params ? [params] : facts.map((fact) => ({ fact, scope }))) {
      steps.push(await saveOnce(tool, target, call, testCase));
    }
    const link = layout?.endsWith('link') ? fs.lstatSync(target).isSymbolicLink() : undefined;
    return { ...steps.at(-1), link, steps: steps.length > 1 ? steps : undefined };
  });
  return { ...testCase, ...output };
}

// The files that a run left in the home, as far as we write them too.
function homeFiles(home) {
  const found = {};
  const walk = (dir) => {
    for (const entry of fs.readdirSync(dir, { withFileTypes: true })) {
      const full = path.join(dir, entry.name);
      if (entry.isDirectory()) walk(full);
      else found[full] = fs.readFileSync(full, 'utf8');
    }
  };
  walk(home);
  return Object.entries(found).sort(([a], [b]) => (a < b ? -1 : 1));
}

async function recordRegistry(testCase, { v61 }) {
  const output = await inTree(testCase, async ({ ask }) => {
    const global = path.join(process.env.GEMINI_CLI_HOME, '.gemini');
    const bases = ['tmp', 'history'].map((base) => path.join(global, base));
    const registry = new v61.ProjectRegistry(path.join(global, 'projects.json'), bases);
    await registry.initialize();
    const slugs = [];
    for (const project of ask) slugs.push(await registry.getShortId(project));
    return { slugs, files: homeFiles(global) };
  });
  return withOutput(testCase, output);
}

async function recordTrust(testCase, { v61 }) {
  const output = await inTree(testCase, async ({ rules }) => {
    const global = path.join(process.env.GEMINI_CLI_HOME, '.gemini');
    process.env.GEMINI_CLI_TRUSTED_FOLDERS_PATH = path.join(global, 'trustedFolders.json');
    v61.resetTrustedFoldersForTesting();
    const folders = v61.loadTrustedFolders();
    for (const [folder, level] of rules) await folders.setValue(folder, level);
    return { files: homeFiles(global) };
  });
  return withOutput(testCase, output);
}

async function recordInbox(testCase, { v61 }) {
  return withOutput(testCase, await inTree(testCase, (input) => askInbox(input, v61)));
}

function withEffectiveNames(testCase, v61) {
  const names = effectiveNames(testCase.input.names, v61);
  return { ...testCase, input: { ...testCase.input, names } };
}

function withOutput({ name, files, input }, output) {
  return { name, files, input, output };
}

// ----------------------------------------------------------------------- main

function assertUniqueNames(kind, records) {
  const seen = new Set();
  for (const { name } of records) {
    if (seen.has(name)) throw new Error(`${kind}: two cases are called ${name}`);
    seen.add(name);
  }
}

// Every hand-written case is kept. Of the generated ones the first `enough`
// are, without those that are too big: a random graph may blow up on expansion.
async function recordAll({ fixed, generated = [], enough = 0, maxBytes = 0, more = [] }, record, peers) {
  const records = [];
  for (const testCase of fixed) records.push(await record(testCase, peers));
  let kept = 0;
  for (const testCase of generated) {
    if (kept === enough) break;
    const recorded = await record(testCase, peers);
    if (Buffer.byteLength(JSON.stringify(recorded)) > maxBytes) continue;
    records.push(recorded);
    kept += 1;
  }
  for (const testCase of more) {
    const recorded = await record(testCase, peers);
    if (Buffer.byteLength(JSON.stringify(recorded)) <= WILD_BYTES) records.push(recorded);
  }
  // What a live round makes nobody has measured.
  if (kept < enough && !isLive()) throw new Error(`only ${kept} generated cases were small enough`);
  return records;
}

// What is larger than this explains nothing to anybody.
const WILD_BYTES = 12_000;

// Odder cases for a live round.
const WILD = {
  flatten: [60, wild.flattenCase],
  imports: [150, wild.importCase],
  tiers: [90, wild.tierCase],
  eager: [90, wild.eagerCase],
  jit: [90, wild.jitCase],
  registry: [30, wild.registryCase],
  trust: [20, wild.trustCase],
  inbox: [60, wild.inboxCase],
  sessions: [150, wild.sessionCase],
  programs: [100, wild.programCase],
};

function wildCases(kind) {
  const [times, make] = (isLive() && WILD[kind]) || [0];
  return count(times).map((index) => make(20_000 + index));
}

// Which rules hold in an include directory is asked by hand-written cases.
function isPlain({ name, files, input: { includeDirs, loadFromIncludeDirs } }) {
  const isRandom = /^(random|wild) /.test(name);
  const hasRules = files.some((entry) => entry.path.endsWith('ignore'));
  return !(isRandom && loadFromIncludeDirs && includeDirs.length > 0 && hasRules);
}

function onePerLine(records) {
  return `[\n${records.map((record) => JSON.stringify(record)).join(',\n')}\n]\n`;
}

function writeKind(out, kind, records, text) {
  fs.mkdirSync(out, { recursive: true });
  fs.writeFileSync(path.join(out, `${kind}.json`), text);
  process.stdout.write(`${kind}: ${records.length} cases, ${Buffer.byteLength(text)} bytes\n`);
}

async function main() {
  const options = readArguments();
  silenceConsole();
  if (options.seed !== undefined) useRound(Number(options.seed));
  const peers = await loadPeers(options);
  const kinds = {
    flatten: [flattenCases(), recordFlatten],
    imports: [importCases(), recordImports],
    tiers: [tierCases(), recordTiers],
    eager: [eagerCases(), recordEager],
    jit: [jitCases(), recordJit],
    save: [saveCases(), recordSave],
    registry: [registryCases(), recordRegistry, options['state-out']],
    trust: [trustCases(), recordTrust, options['state-out']],
    inbox: [inboxCases(options.inbox), recordInbox, options['state-out']],
    sessions: [sessionCases(fs.readFileSync(options.ours, 'utf8')), recordSession, options['session-out'], 0],
    scratchpads: [scratchpadCases(), recordScratchpad, options['session-out'], 0],
    programs: [programCases(), recordProgram, options['session-out'], 0],
  };
  for (const [kind, [cases, record, out = options.out, indent = 1]] of Object.entries(kinds)) {
    let records = await recordAll({ ...cases, more: wildCases(kind) }, record, peers);
    if (kind === 'eager' && isLive()) records = askGit(records.filter(isPlain));
    assertUniqueNames(kind, records);
    const text = indent > 0 ? `${JSON.stringify(records, null, indent)}\n` : onePerLine(records);
    writeKind(out, kind, records, text);
  }
  for (const kind of options.context) {
    const { answers } = await import(`./context-${kind}.mjs`);
    const records = await answers(packageIn(options.core61));
    writeKind(options['context-out'], kind, records, onePerLine(records));
  }
}

await main();
