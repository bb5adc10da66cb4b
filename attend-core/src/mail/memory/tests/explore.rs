//! Every state that can be reached, breadth first.

use std::collections::{HashSet, VecDeque};
use std::hash::{DefaultHasher, Hash, Hasher};

use super::scope::{Action, Scope};
use super::world::World;

/// What an exploration came to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Found {
    pub(super) states: usize,
    pub(super) steps: usize,
}

/// For each state the one before it, and what led from there.
type Ways = Vec<(usize, Option<Action>)>;

/// What leads to the state `at`, and `last` after it.
fn path(ways: &Ways, mut at: usize, last: Action) -> Vec<Action> {
    let mut path = vec![last];
    while let (before, Some(action)) = ways[at] {
        path.push(action);
        at = before;
    }
    path.reverse();
    path
}

/// States are known by a hash of 64 bits: of 100,000 two are mistaken for one with a chance of
/// one in a billion, and always the same ones.
fn key(world: &World) -> u64 {
    let mut hasher = DefaultHasher::new();
    world.hash(&mut hasher);
    hasher.finish()
}

/// Goes through every state within `scope`; the shortest way to one in which a rule is broken.
pub(super) fn explore(scope: &Scope) -> Result<Found, String> {
    let start = World::new(scope);
    let mut known = HashSet::from([key(&start)]);
    let mut ends = HashSet::new();
    let mut ways: Ways = vec![(0, None)];
    let mut queue = VecDeque::from([(start, 0)]);
    let mut steps = 0;
    while let Some((world, at)) = queue.pop_front() {
        let told = |broken: String, ways: &Ways, action| {
            format!("{broken}\nafter: {:?}", path(ways, at, action))
        };
        for action in world.actions(scope) {
            let mut next = world.clone();
            next.act(scope, action)
                .map_err(|broken| told(broken, &ways, action))?;
            steps += 1;
            if known.insert(key(&next)) {
                let stopped = next.stopped();
                if ends.insert(key(&stopped)) {
                    let checked = stopped.drain(scope);
                    checked.map_err(|broken| told(broken, &ways, action))?;
                }
                queue.push_back((next, ways.len()));
                ways.push((at, Some(action)));
            }
        }
    }
    Ok(Found {
        states: known.len(),
        steps,
    })
}
