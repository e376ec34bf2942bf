//! Our answer to a recorded case.

use analects_memory::discover::{self, Candidate, Denied, Depth, Home, Places};
use analects_memory::import::{Format, ImportNode, ImportOptions, Scope};
use analects_memory::label::Labels;
use analects_memory::layer::Layer;
use analects_memory::load::{LoadOptions, Loader};
use analects_memory::nearby;
use analects_memory::stack;
use analects_testkit::{Entry, FakeFiles};
use analects_world::Profile;
use analects_world::{AbsPath, Files};
use serde_json::Value;

use super::case::{Answer, Case, abs};

pub(crate) fn import(case: &Case) -> Answer {
    let mut disk = case.disk();
    let base = abs(&case.input.base);
    let path = base.join("THE-INPUT.md");
    let real_base = Files::real(&disk, &base).unwrap_or_else(|_| base.clone());
    disk.put(
        &real_base.join("THE-INPUT.md"),
        Entry::File(case.input.text.clone().into_bytes()),
    );
    let (root, _) = discover::project_root(&disk, &base, &case.input.markers, None);
    let import_root = root.unwrap_or_else(|| base.clone());
    let candidate = Candidate {
        path,
        layer: Layer::Project,
        home: Home::Anywhere,
        import_root: import_root.clone(),
    };
    let options = load_options(&import_root, &base);
    let (loaded, _) = Loader::new(&disk, &options).load(&[candidate], format(&case.input.format));
    let mut parts = vec![("content", loaded[0].text.clone())];
    if case.input.format == "tree" && !loaded[0].imports.is_empty() {
        parts.push(("tree", tree(&loaded[0].imports).to_string()));
    }
    Answer(parts)
}

pub(crate) fn tiers(case: &Case) -> Answer {
    let disk = case.disk();
    let places = case.places(&disk, &case.input.include_dirs);
    memory(
        case,
        &disk,
        &places,
        Depth::Levels(0),
        &["global", "userProject", "extension", "project"],
    )
}

pub(crate) fn eager(case: &Case) -> Answer {
    let disk = case.disk();
    let places = case.places(&disk, case.include_dirs());
    memory(
        case,
        &disk,
        &places,
        Depth::All,
        &["global", "extension", "project"],
    )
}

pub(crate) fn jit(case: &Case) -> Answer {
    let disk = case.disk();
    let places = case.places(&disk, &case.input.include_dirs);
    let options = case.discover_options(Depth::Levels(0));
    let discovered = discover::discover(&disk, &places, &options);
    let load = load_options(&discovered.root, &places.home);
    let mut loader = Loader::new(&disk, &load);
    loader.load(&discovered.candidates, format(&case.input.import_format));
    let accessed = abs(&case.input.accessed);
    let Some((first, rest)) = case.input.trusted_roots.split_first() else {
        return Answer(vec![("text", String::new())]);
    };
    let places = Places {
        cwd: abs(first),
        include: rest.iter().map(|dir| abs(dir).into()).collect(),
        ..places
    };
    let near = nearby::nearby(
        &disk,
        &places,
        &options,
        &mut loader,
        &[accessed],
        usize::MAX,
    );
    let blocks: Vec<_> = near
        .fragments
        .iter()
        .map(|fragment| fragment.block.clone())
        .collect();
    Answer(vec![("text", stack::join(&blocks, None))])
}

fn memory(
    case: &Case,
    disk: &FakeFiles,
    places: &Places,
    depth: Depth,
    parts: &[&'static str],
) -> Answer {
    let discovered = discover::discover(disk, places, &case.discover_options(depth));
    let load = load_options(&discovered.root, &places.home);
    let (loaded, _) =
        Loader::new(disk, &load).load(&discovered.candidates, format(&case.input.import_format));
    let memory = stack::stack(&loaded, usize::MAX).memory();
    let text = |part: &str| match part {
        "global" => memory.get(Layer::Global),
        "userProject" => memory.get(Layer::Private),
        "extension" => memory.get(Layer::Extension),
        _ => memory.get(Layer::Project),
    };
    Answer(
        parts
            .iter()
            .map(|&part| (part, text(part).to_owned()))
            .collect(),
    )
}

fn format(name: &str) -> Format {
    if name == "flat" {
        Format::Flat
    } else {
        Format::Tree
    }
}

fn load_options(root: &AbsPath, home: &AbsPath) -> LoadOptions {
    LoadOptions {
        import: ImportOptions {
            profile: Profile::Head,
            scope: Scope::Root,
            max_depth: 5,
        },
        file_limit_bytes: 512 * 1024,
        load_limit_bytes: 1024 * 1024,
        labels: Labels {
            profile: Profile::Head,
            root: root.clone(),
            cwd: root.clone(),
            home: home.clone(),
        },
        denied: Denied::default(),
        owners: analects_world::ownership::TrustedOwners::default(),
    }
}

fn tree(nodes: &[ImportNode]) -> Value {
    let node = |node: &ImportNode| {
        let mut object = serde_json::Map::new();
        object.insert("path".to_owned(), node.path.to_string().into());
        if !node.imports.is_empty() {
            object.insert("imports".to_owned(), tree(&node.imports));
        }
        Value::Object(object)
    };
    nodes.iter().map(node).collect()
}
