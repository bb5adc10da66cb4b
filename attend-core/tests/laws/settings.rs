//! Other settings in mid-flight: nothing is forgotten, and from then on they hold as if they
//! always had.

use std::num::NonZeroU32;

use attend_core::attention::{Attention, Input, Mutes, Settings};
use attend_core::dynamics::{Curve, Shape, TickDelta};
use proptest::prelude::*;

use crate::world::{World, history};

fn settings() -> impl Strategy<Value = Settings> {
    let figures = (0..90_u64, 1..6_u32, 1..400_u64, 0..20_u64);
    let curve = (1..6_u32, 1.0..4.0_f64, 0..200_u64, 1..900_u64);
    (figures, curve).prop_map(|(figures, curve)| {
        let (cooldown, most, window, mail) = figures;
        let (burst_threshold, peak_multiplier, absolute_refractory, multiplier_half_life) = curve;
        let mut settings = Settings::default();
        settings.governor.cooldown = TickDelta::new(cooldown);
        settings.governor.max_per_window = NonZeroU32::new(most).expect("above zero");
        settings.governor.window = TickDelta::new(window);
        settings.mail_cooldown = TickDelta::new(mail);
        let shape = Shape::ActionPotential {
            burst_threshold,
            peak_multiplier,
            absolute_refractory,
            multiplier_half_life,
        };
        settings.engagement = Curve::new(shape).expect("a curve");
        settings
    })
}

proptest! {
    #[test]
    fn the_same_settings_again_change_nothing(before in history(30), after in history(30)) {
        let mut world = World::new(Settings::default());
        for op in &before {
            world.live(op);
        }
        let mut told = world.clone();
        let same = Box::new(Settings::default());
        told.attention.input(told.now, Input::Settings(same));
        for op in &after {
            world.live(op);
            told.live(op);
        }
        world.wait(1_000);
        told.wait(1_000);
        prop_assert_eq!(world.written, told.written);
        prop_assert_eq!(world.attention.totals(), told.attention.totals());
    }

    #[test]
    fn other_settings_hold_as_after_a_restart_with_them(
        before in history(30), after in history(30), settings in settings(),
    ) {
        let mut told = World::new(Settings::default());
        for op in &before {
            told.live(op);
        }
        told.settle();
        let mut restarts = told.clone();
        told.attention.input(told.now, Input::Settings(Box::new(settings.clone())));
        restarts.attention = Attention::builder()
            .settings(settings)
            .restore(told.attention.checkpoint(), told.now)
            .build();
        let (host, handled) = (told.attention.host(), told.attention.handled().clone());
        restarts.introduce();
        restarts.attention.input(restarts.now, Input::Handled(handled));
        restarts.attention.input(restarts.now, Input::Host(host));
        restarts.attention.input(restarts.now, Input::Mute(Mutes::new(restarts.mutes.clone())));
        restarts.look();
        for op in &after {
            told.live(op);
            restarts.live(op);
        }
        told.wait(1_000);
        restarts.wait(1_000);
        prop_assert_eq!(told.written, restarts.written);
        prop_assert_eq!(told.attention.totals(), restarts.attention.totals());
    }
}
