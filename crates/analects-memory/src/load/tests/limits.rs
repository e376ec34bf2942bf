//! What a load may cost.

use std::sync::atomic::{AtomicUsize, Ordering};

use analects_world::files::{Identity, Listing, Measure, Pick};
use expect_test::expect;

use super::*;

#[test]
fn copies_do_not_use_up_the_limit() {
    let fixture = ["a", "b", "c", "d"]
        .iter()
        .fold(Fixture::default(), |tree, dir| {
            tree.file(&format!("/p/{dir}/GEMINI.md"), "0123456789")
        });
    Load::of(
        &[
            "/p/a/GEMINI.md",
            "/p/b/GEMINI.md",
            "/p/c/GEMINI.md",
            "/p/d/GEMINI.md",
            "/p/GEMINI.md",
        ],
        &fixture.file("/p/GEMINI.md", "abcdefghij"),
    )
    .limits(100, 20)
    .check(expect![[r#"
        project a/GEMINI.md (10 bytes): "0123456789"
        project GEMINI.md (10 bytes): "abcdefghij"
        = /p/b/GEMINI.md says what /p/a/GEMINI.md says
        = /p/c/GEMINI.md says what /p/a/GEMINI.md says
        = /p/d/GEMINI.md says what /p/a/GEMINI.md says
    "#]]);
}

#[test]
fn two_texts_that_were_cut_alike_are_not_the_same() {
    let fixture = Fixture::default()
        .file("/p/GEMINI.md", "same start, A")
        .file("/p/a/GEMINI.md", "same start, B");
    Load::of(&["/p/GEMINI.md", "/p/a/GEMINI.md"], &fixture)
        .limits(10, 1000)
        .check(expect![[r#"
        project GEMINI.md (13 bytes): "same start\n[cut off: 10 of 13 bytes loaded]\n"
        project a/GEMINI.md (13 bytes): "same start\n[cut off: 10 of 13 bytes loaded]\n"
        ! file-cut: /p/GEMINI.md: cut off: 10 of 13 bytes loaded
        ! file-cut: /p/a/GEMINI.md: cut off: 10 of 13 bytes loaded
    "#]]);
}

#[test]
fn a_full_load_leaves_files_out_by_name() {
    Load::of(
        &["/p/GEMINI.md", "/p/a/GEMINI.md", "/p/b/GEMINI.md"],
        &Fixture::parse(
            "//- /p/GEMINI.md\nfirst\nsecond\n//- /p/a/GEMINI.md\nthird\n//- /p/b/GEMINI.md\n",
        ),
    )
    .limits(100, 8)
    .check(expect![[r#"
        project GEMINI.md (13 bytes): "first\n[cut off: 6 of 13 bytes loaded]\n"
        project b/GEMINI.md (0 bytes): ""
        ! load-cut: /p/GEMINI.md: cut off: 6 of 13 bytes loaded
        ! load-cut: /p/a/GEMINI.md: left out: the limit for all memory together is used up
    "#]]);
}

#[test]
fn once_the_load_is_full_files_are_no_longer_read() {
    /// A disk that counts the bytes it hands out.
    struct Counting(FakeFiles, AtomicUsize);

    impl Files for Counting {
        fn list(&self, dirs: &[AbsPath], pick: &Pick) -> Vec<Result<Listing, Trouble>> {
            self.0.list(dirs, pick)
        }

        fn read(&self, wants: &[Want<'_>]) -> Vec<Result<Blob, Trouble>> {
            let blobs = self.0.read(wants);
            let n_bytes = blobs.iter().flatten().map(|blob| blob.bytes.len()).sum();
            self.1.fetch_add(n_bytes, Ordering::Relaxed);
            blobs
        }

        fn real(&self, path: &AbsPath) -> Result<AbsPath, Trouble> {
            self.0.real(path)
        }

        fn identify(&self, path: &AbsPath) -> Result<Identity, Trouble> {
            self.0.identify(path)
        }

        fn ownership(
            &self,
            paths: &[AbsPath],
        ) -> Vec<Result<analects_world::ownership::Ownership, Trouble>> {
            self.0.ownership(paths)
        }

        fn measure(&self, paths: &[AbsPath]) -> Vec<Result<Measure, Trouble>> {
            self.0.measure(paths)
        }

        fn piece(
            &self,
            path: &AbsPath,
            start: u64,
            limit_bytes: usize,
        ) -> Result<Vec<u8>, Trouble> {
            self.0.piece(path, start, limit_bytes)
        }
    }

    let paths: Vec<_> = (0..200).map(|i| format!("/p/{i}/GEMINI.md")).collect();
    let fixture = paths.iter().fold(Fixture::default(), |tree, path| {
        tree.file(path, path.repeat(100))
    });
    let paths: Vec<_> = paths.iter().map(String::as_str).collect();
    let load = Load::of(&paths, &fixture).limits(2000, 10_000);
    let disk = Counting(load.disk, AtomicUsize::default());
    let (loaded, problems) = Loader::new(&disk, &load.options).load(&load.candidates, Format::Tree);
    assert_eq!((loaded.len(), problems.len()), (8, 193));
    assert!(
        disk.1.into_inner() < 32 * 2000 + 200,
        "one batch, then a byte each"
    );
}
