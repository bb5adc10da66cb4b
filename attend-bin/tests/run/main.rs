//! `attend run` as a real process, beside real repositories that other processes change.

#![cfg(unix)]
#![expect(
    clippy::disallowed_methods,
    reason = "these tests start real processes and wait for them in real time"
)]

#[path = "../cli/home.rs"]
mod home;

mod delivered;
mod delivery;
mod desk;
mod live;
mod monitor_pipe;
mod plugged;
mod reader;
mod terminal;
mod together;
mod world;
mod writes;

mod bodies;
mod chatting;
mod cleanup;
mod cleanup_ways;
mod configured;
mod context;
mod crowd;
mod damage;
mod delivery_crowd;
mod delivery_digest;
mod delivery_dropped;
mod delivery_full;
mod delivery_killed;
mod delivery_muted;
mod delivery_projects;
mod delivery_sandbox;
mod delivery_stopped;
mod delivery_words;
mod disk;
mod doctor;
mod doctor_limits;
mod doctor_store;
mod explained;
mod facts;
mod files;
mod hooks;
mod hooks_input;
mod hooks_ways;
mod hosts;
mod hosts_fake;
mod hosts_privacy;
mod hosts_prompt;
mod hosts_sandbox;
mod idle;
mod killed;
mod leftovers;
mod monitored;
mod muting;
mod names;
mod noise;
mod outputs;
mod overlap;
mod own_changes;
mod peers;
mod places;
mod plugin_day;
mod plugin_hooks;
mod plugin_monitor;
mod processes;
mod reading;
mod recorded;
mod reminders;
mod restart;
mod running;
mod scripts;
mod scripts_trust;
mod seats;
mod sending;
mod sessions;
mod speakers;
mod stopped;
mod taught;
