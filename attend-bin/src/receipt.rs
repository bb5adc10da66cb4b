//! What became of a message that was sent: for people, and as JSON.

use std::fmt::Write as _;

use attend_core::attention::sanitise;
use attend_core::mail::{Presence, Receipt, Recipient, State};
use serde::Serialize;

use crate::letters::state_name;
use crate::output::{Failure, print, print_json};
use crate::waiting::States;

/// A receipt, as it is printed.
#[derive(Serialize, Debug)]
struct Told {
    id: String,
    /// It had been sent under the same key before, so nothing was sent now.
    repeated: bool,
    recipients: Vec<Addressee>,
    /// How far it got with each that it was addressed to by name, where somebody waited.
    #[serde(skip_serializing_if = "Option::is_none")]
    states: Option<States>,
}

#[derive(Serialize, Debug)]
struct Addressee {
    address: String,
    /// The seat that it went to; none where it waits for a project, and for a room.
    seat: Option<String>,
    /// How soon it may be noticed; none for a room.
    state: Option<&'static str>,
    /// Of a room: how many belong to it beside the sender.
    members: Option<u64>,
}

/// Prints the receipt, with how far the message got where somebody waited for that.
pub(crate) fn tell(receipt: &Receipt, states: Option<&States>, json: bool) -> Result<(), Failure> {
    let told = Told {
        id: receipt.id.to_string(),
        repeated: receipt.repeated,
        recipients: receipt.recipients.iter().map(Addressee::of).collect(),
        states: states.cloned(),
    };
    let printed = if json {
        print_json(&told)
    } else {
        print(&told.to_text())
    };
    // Whoever sent it again, because this failed, would send it twice.
    printed.map_err(|failure| failure.after(&format!("{} was sent", told.id)))
}

/// Prints how far a message got with each.
pub(crate) fn tell_states(states: &States) -> Result<(), Failure> {
    let line = |(name, state): (&String, &State)| {
        format!("  {}: {}\n", sanitise(name), state_name(*state))
    };
    print(&states.iter().map(line).collect::<String>())
}

impl Told {
    fn to_text(&self) -> String {
        let mut text = if self.repeated {
            format!(
                "{} was sent before under this key; nothing was sent now\n",
                self.id
            )
        } else {
            format!("{} sent\n", self.id)
        };
        for addressee in &self.recipients {
            let _ = writeln!(text, "  {}", addressee.to_text());
        }
        text
    }
}

impl Addressee {
    fn of(recipient: &Recipient) -> Self {
        match recipient {
            Recipient::Tray {
                address,
                seat,
                presence,
            } => Self {
                address: address.clone(),
                seat: seat.clone(),
                state: Some(presence_name(*presence)),
                members: None,
            },
            Recipient::Room { room, members } => Self {
                address: room.to_string(),
                seat: None,
                state: None,
                members: Some(*members),
            },
            _ => Self {
                address: "?".to_owned(),
                seat: None,
                state: None,
                members: None,
            },
        }
    }

    fn to_text(&self) -> String {
        let to = sanitise(&self.address);
        let by_seat = self.seat.as_deref().map(sanitise);
        let to = match by_seat.filter(|seat| to.strip_prefix('@') != Some(seat)) {
            Some(seat) => format!("{to} ({seat})"),
            None => to,
        };
        match (self.state, self.members) {
            (Some(_), _) if self.seat.is_none() => {
                format!("{to}: waiting for the next session there")
            }
            (Some(state), _) => format!("{to}: {state}"),
            (None, Some(0)) => format!("{to}: nobody else is in it"),
            (None, Some(1)) => format!("{to}: 1 other member"),
            (None, members) => format!("{to}: {} other members", members.unwrap_or_default()),
        }
    }
}

/// How soon an addressee may notice a message, in words.
pub(crate) fn presence_name(presence: Presence) -> &'static str {
    match presence {
        Presence::Listening => "listening",
        Presence::NoReader => "live, no reader",
        _ => "waiting",
    }
}

#[cfg(test)]
mod tests {
    use attend_core::mail::{MessageId, RoomName, Seq};

    use super::*;

    fn tray(address: &str, seat: Option<&str>, presence: Presence) -> Recipient {
        Recipient::Tray {
            address: address.to_owned(),
            seat: seat.map(str::to_owned),
            presence,
        }
    }

    #[test]
    fn each_addressee_is_told_with_its_state() {
        let room = |name, members| Recipient::Room {
            room: RoomName::parse(name).unwrap(),
            members,
        };
        let recipients = vec![
            tray("@Cleo-alpha", Some("Cleo-alpha"), Presence::Listening),
            tray("@Tam", Some("Tam-beta"), Presence::NoReader),
            tray("@Vic", None, Presence::Waiting),
            tray("@sam", Some("sam"), Presence::Waiting),
            room("deploy", 3),
            room("open", 1),
            room("lonely", 0),
        ];
        let receipt = Receipt::new(MessageId::new("7F3K2A"), Seq::new(1), recipients);
        let told = |receipt: &Receipt| {
            Told {
                id: receipt.id.to_string(),
                repeated: receipt.repeated,
                recipients: receipt.recipients.iter().map(Addressee::of).collect(),
                states: None,
            }
            .to_text()
        };
        insta::assert_snapshot!(told(&receipt), @r"
        7F3K2A sent
          @Cleo-alpha: listening
          @Tam (Tam-beta): live, no reader
          @Vic: waiting for the next session there
          @sam: waiting
          #deploy: 3 other members
          #open: 1 other member
          #lonely: nobody else is in it
        ");
        let again = told(&receipt.repeated());
        assert!(
            again.starts_with("7F3K2A was sent before under this key"),
            "{again}"
        );
    }
}
