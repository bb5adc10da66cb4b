//! What projects and seats are called.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::Path;

/// Short given names, easy to tell apart in a line, all ASCII.
const POOL: [&str; 120] = [
    "Ada", "Aki", "Alba", "Amos", "Anja", "Arlo", "Asta", "Bea", "Beck", "Bo", "Brit", "Cato",
    "Cleo", "Cora", "Cyra", "Dag", "Dara", "Dion", "Dora", "Ebba", "Eira", "Eli", "Elva", "Enzo",
    "Esme", "Ezra", "Faye", "Finn", "Flor", "Fynn", "Gail", "Gia", "Gus", "Hana", "Hugo", "Ida",
    "Ilse", "Ines", "Iris", "Isla", "Ivo", "Jana", "Jax", "Joan", "Jory", "Juno", "Kaia", "Kian",
    "Kira", "Koa", "Lars", "Leda", "Lena", "Levi", "Lila", "Liv", "Lou", "Luca", "Lyra", "Mae",
    "Mara", "Mika", "Milo", "Mira", "Moss", "Nadia", "Nash", "Neve", "Nico", "Nils", "Noor",
    "Nora", "Odin", "Olga", "Omar", "Opal", "Oren", "Orla", "Otis", "Pax", "Pia", "Quin", "Rafe",
    "Rhea", "Rio", "Roan", "Rosa", "Ruby", "Rune", "Sage", "Sana", "Sven", "Suri", "Tam", "Tara",
    "Tess", "Theo", "Tilda", "Tove", "Ugo", "Uma", "Una", "Vada", "Vera", "Vic", "Vito", "Wes",
    "Willa", "Wren", "Xena", "Yara", "Yoko", "Yuri", "Zara", "Zeb", "Zeno", "Zia", "Zoe", "Zola",
    "Zuri",
];

/// The Greek letters, by which the first seats of a project are told apart.
const ORDINALS: [&str; 24] = [
    "alpha", "beta", "gamma", "delta", "epsilon", "zeta", "eta", "theta", "iota", "kappa",
    "lambda", "mu", "nu", "xi", "omicron", "pi", "rho", "sigma", "tau", "upsilon", "phi", "chi",
    "psi", "omega",
];

/// A name for the project `project` that `is_free`, beginning from the one that its hash picks.
///
/// It is chosen once and kept, so the hash may change between versions.
pub(crate) fn persona(project: &Path, mut is_free: impl FnMut(&str) -> bool) -> String {
    let mut hasher = DefaultHasher::new();
    project.hash(&mut hasher);
    let pool = POOL.len() as u64;
    let start = usize::try_from(hasher.finish() % pool).unwrap_or(0);
    let mut round = 1_u64;
    loop {
        for name in POOL.iter().cycle().skip(start).take(POOL.len()) {
            let name = match round {
                1 => (*name).to_owned(),
                round => format!("{name}{round}"),
            };
            if is_free(&name) {
                return name;
            }
        }
        round += 1;
    }
}

/// The name of the seat number `ordinal`, from 1, of the project called `persona`.
pub(crate) fn seat_name(persona: &str, ordinal: u64) -> String {
    let index = usize::try_from(ordinal.saturating_sub(1)).unwrap_or(usize::MAX);
    match ORDINALS.get(index) {
        Some(letter) => format!("{persona}-{letter}"),
        None => format!("{persona}-{ordinal}"),
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn personas_never_run_out_and_never_collide() {
        let mut taken = HashSet::new();
        for n in 0..300 {
            let path = format!("/projects/{n}");
            let name = persona(Path::new(&path), |name| !taken.contains(name));
            assert!(name.is_ascii() && name.len() <= 8, "{name}");
            assert!(taken.insert(name));
        }
        assert_eq!(POOL.iter().collect::<HashSet<_>>().len(), POOL.len());
    }

    #[test]
    fn seats_have_letters_and_then_numbers() {
        let name = |ordinal| seat_name("Cleo", ordinal);
        assert_eq!(name(1), "Cleo-alpha");
        assert_eq!(
            (name(24), name(25)),
            ("Cleo-omega".into(), "Cleo-25".into())
        );
    }
}
