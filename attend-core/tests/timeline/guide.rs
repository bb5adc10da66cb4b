//! The pictures that lie beside the guide can be read where they are shown.

use std::fs;
use std::path::Path;

use crate::by_night;
use crate::drawn::labels;
use crate::rendered::Rendered;

#[test]
fn the_pictures_of_the_guide_can_be_read_by_day_and_by_night() {
    let guide = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/guide");
    let Ok(entries) = fs::read_dir(guide) else {
        return; // This package was unpacked alone.
    };
    let paths = entries.map(|entry| entry.expect("an entry").path());
    let pictures: Vec<_> = paths
        .filter(|path| path.extension().is_some_and(|kind| kind == "svg"))
        .collect();
    assert!(pictures.len() > 1, "{pictures:?}");
    for path in pictures {
        let name = path.file_stem().expect("a name").display().to_string();
        let picture = fs::read_to_string(&path).expect("a picture");
        let drawn = labels(&picture).len();
        assert!(drawn > 10, "{name}: {drawn} labels");
        // A page shows them as wide as its text.
        for width in [600, 900] {
            let day = Rendered::new(&picture, width);
            let night = Rendered::new(&by_night(&picture), width);
            day.keep(&format!("guide-{name}-{width}"));
            night.keep(&format!("guide-{name}-{width}-night"));
            assert!(day.darkness() < 0.3, "{name}: {}", day.darkness());
            assert!(night.darkness() > 0.7, "{name}: {}", night.darkness());
            for light in [day, night] {
                assert_eq!(light.labels().len(), drawn, "{name} at {width}");
                assert_eq!(light.touching(), [], "{name} at {width}");
                for label in light.labels() {
                    assert!(light.colours(label) >= 4, "{name} at {width}: {label:?}");
                }
            }
        }
    }
}
