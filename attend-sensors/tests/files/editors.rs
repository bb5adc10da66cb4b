//! How editors save: a file that is written by way of others has changed, and nothing else did.

use std::fs::{self, OpenOptions};
use std::io::Write;
use std::os::unix::fs::symlink;

use super::world::{World, each};

/// What an editor does, step by step; it may be looked at after each.
type Save = (&'static str, &'static [fn(&World)]);

fn write(world: &World) {
    world.write("notes.md", "changed by an editor");
}

const SAVES: [Save; 8] = [
    (
        "vim",
        &[
            |world| world.write("4913", ""),
            |world| world.remove("4913"),
            |world| world.rename("notes.md", "notes.md~"),
            write,
            |world| world.remove("notes.md~"),
        ],
    ),
    (
        "vim with backupcopy",
        &[
            |world| world.write(".notes.md.swp", "swap"),
            |world| _ = fs::copy(world.path("notes.md"), world.path("notes.md~")).unwrap(),
            |world| world.write("notes.md", ""),
            write,
            |world| world.remove("notes.md~"),
            |world| world.remove(".notes.md.swp"),
        ],
    ),
    (
        "emacs",
        &[
            |world| symlink("sam@desk.1", world.path(".#notes.md")).unwrap(),
            |world| world.write("#notes.md#", "auto"),
            |world| world.rename("notes.md", "notes.md~"),
            write,
            |world| world.remove("#notes.md#"),
            |world| world.remove(".#notes.md"),
        ],
    ),
    (
        "VS Code",
        &[
            |world| world.write("notes.md", ""),
            |world| {
                let file = OpenOptions::new().append(true).open(world.path("notes.md"));
                file.unwrap().write_all(b"changed by an editor").unwrap();
            },
        ],
    ),
    (
        "VS Code, atomic",
        &[
            |world| world.write("notes.md.vsctmp", "changed by an editor"),
            |world| world.rename("notes.md.vsctmp", "notes.md"),
        ],
    ),
    (
        "sed -i",
        &[
            |world| world.write("sedK3xF2a", "changed"),
            |world| world.rename("sedK3xF2a", "notes.md"),
        ],
    ),
    (
        "JetBrains",
        &[
            |world| world.write("notes.md___jb_tmp___", "changed by an editor"),
            |world| world.rename("notes.md", "notes.md___jb_old___"),
            |world| world.rename("notes.md___jb_tmp___", "notes.md"),
            |world| world.remove("notes.md___jb_old___"),
        ],
    ),
    (
        "removed and written anew",
        &[|world| world.remove("notes.md"), write],
    ),
];

#[test]
fn a_save_is_one_change_whatever_lies_between() {
    for (editor, steps) in SAVES {
        for seconds in [None, Some(0), Some(1)] {
            each(&["*"], |world| {
                world.write("notes.md", "before");
                world.begin();
                let mut told = Vec::new();
                for step in steps {
                    step(world);
                    if let Some(seconds) = seconds {
                        let looked = world.look_after(seconds);
                        told.extend(looked.texts().into_iter().map(str::to_owned));
                    }
                }
                told.extend(world.told());
                assert_eq!(told, ["changed notes.md"], "{editor} {seconds:?}");
                assert_eq!(world.told(), [""; 0], "{editor}");
            });
        }
    }
}
