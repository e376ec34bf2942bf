// Our own inputs for the files that Gemini CLI keeps about projects: the
// registry of project folders, and the rules about trusted folders.

const project = (path) => ({ path, dir: true });
const file = (path, text) => ({ path, text });

const REGISTRY = '/T/home/.gemini/projects.json';
const marker = (base, slug, owner) =>
  file(`/T/home/.gemini/${base}/${slug}/.project_root`, owner);

// Each case asks for the folder names of `ask`, one after the other.
export function registryCases() {
  const cases = [
    ['first project', [], ['/T/w/App']],
    ['asked twice', [], ['/T/w/app', '/T/w/app']],
    ['same base name', [], ['/T/a/app', '/T/b/app', '/T/c/app']],
    ['odd names', [], ['/T/w/My  App!', '/T/w/--x--', '/T/w/a.b_c', '/T/w/...', '/T/w/A1']],
    ['weakness-other scripts', [], ['/T/w/été', '/T/w/漢字']],
    ['registered', [file(REGISTRY, JSON.stringify({ projects: { '/T/w/app': 'other' } }, null, 2))], ['/T/w/app']],
    ['slug taken in the registry', [file(REGISTRY, JSON.stringify({ projects: { '/T/x': 'app' } }, null, 2))], ['/T/w/app']],
    ['slug taken on disk', [marker('tmp', 'app', '/T/elsewhere')], ['/T/w/app']],
    ['slug taken in history only', [marker('history', 'app', '/T/elsewhere')], ['/T/w/app']],
    ['found by its marker', [marker('tmp', 'old-name', '/T/w/app')], ['/T/w/app']],
    ['found by its marker in history', [marker('history', 'old-name', '/T/w/app')], ['/T/w/app']],
    ['contradicted by a marker', [
      file(REGISTRY, JSON.stringify({ projects: { '/T/w/app': 'app' } }, null, 2)),
      marker('tmp', 'app', '/T/elsewhere'),
    ], ['/T/w/app']],
    ['marker with a newline', [marker('tmp', 'app', '/T/w/app\n')], ['/T/w/app']],
    ['weakness-layout', [file(REGISTRY, JSON.stringify({ projects: { '/T/z': 'z' } }))], ['/T/m']],
    ['order is kept', [file(REGISTRY, JSON.stringify({ projects: { '/T/z': 'z', '/T/a': 'a' } }, null, 2))], ['/T/m']],
  ];
  return {
    fixed: cases.map(([name, files, ask]) => ({
      name,
      files: [project('/T/home/.gemini'), ...files],
      input: { ask },
    })),
  };
}

// Each case sets rules, one after the other.
export function trustCases() {
  const FILE = '/T/home/.gemini/trustedFolders.json';
  const cases = [
    ['first rule', [], [['/T/w', 'TRUST_FOLDER']]],
    ['several rules', [], [['/T/w', 'TRUST_FOLDER'], ['/T/v', 'DO_NOT_TRUST'], ['/T/u/x', 'TRUST_PARENT']]],
    ['changed rule keeps its place', [], [['/T/a', 'TRUST_FOLDER'], ['/T/b', 'TRUST_FOLDER'], ['/T/a', 'DO_NOT_TRUST']]],
    ['existing file', [file(FILE, JSON.stringify({ '/T/x': 'TRUST_FOLDER' }, null, 2))], [['/T/y', 'DO_NOT_TRUST']]],
    ['odd names', [], [['/T/with "quotes"', 'TRUST_FOLDER'], ['/T/文件', 'TRUST_FOLDER']]],
    ['weakness-backslash in a name', [], [['/T/a\\b', 'TRUST_FOLDER']]],
  ];
  return {
    fixed: cases.map(([name, files, rules]) => ({
      name,
      files: [project('/T/home/.gemini'), ...files],
      input: { rules },
    })),
  };
}
