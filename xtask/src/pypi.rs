//! Packages from PyPI, in environments of their own below `target/`, fetched once.

use std::path::{Path, PathBuf};

use crate::shell::{Done, output, run};

/// A package of the index, by exact version.
pub(crate) struct Package {
    pub(crate) name: &'static str,
    pub(crate) version: &'static str,
}

/// Puts packages into the environment at `dir`, without what they depend on, unless all of them are there already.
pub(crate) fn install(dir: &Path, packages: &[Package]) -> Done {
    if packages.iter().all(|package| is_installed(dir, package)) {
        return Ok(());
    }
    let environment = dir.to_str().ok_or("the target directory is not UTF-8")?;
    // From the beginning: half an environment, or one of a Python that is gone, cannot be mended.
    run("python3", &["-m", "venv", "--clear", environment])?;
    let options = [
        "-m",
        "pip",
        "install",
        "--no-deps",
        // Nothing of a package runs before we run it.
        "--only-binary=:all:",
        "--no-input",
        "--disable-pip-version-check",
        "--quiet",
        "--timeout=60",
        "--retries=2",
    ];
    let wanted = packages
        .iter()
        .map(|package| format!("{}=={}", package.name, package.version));
    let wanted: Vec<_> = wanted.collect();
    let words = options.into_iter().chain(wanted.iter().map(String::as_str));
    let python = python(dir);
    let python = python.to_str().ok_or("the target directory is not UTF-8")?;
    run(python, &words.collect::<Vec<_>>())
}

/// The Python that finds what was installed into `dir`.
pub(crate) fn python(dir: &Path) -> PathBuf {
    dir.join("bin/python")
}

fn is_installed(dir: &Path, package: &Package) -> bool {
    // The list of files is what pip writes last.
    const SEE: &str = "import importlib.metadata, sys\n\
        found = importlib.metadata.distribution(sys.argv[1])\n\
        print(found.version if found.read_text('RECORD') else '')";
    let python = python(dir);
    let Some(python) = python.to_str().filter(|path| Path::new(path).exists()) else {
        return false;
    };
    let version = output(python, &["-c", SEE, package.name]);
    version.is_ok_and(|version| version.trim() == package.version)
}
