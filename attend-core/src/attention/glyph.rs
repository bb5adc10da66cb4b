//! Single characters: which are unseen, which join emoji, and which pass for others.

use unicode_segmentation::UnicodeSegmentation;

/// Whether `c` ends a line somewhere: for a terminal, a host, or a reader of Unicode.
pub(super) fn breaks_line(c: char) -> bool {
    matches!(
        c,
        '\n' | '\r' | '\u{b}' | '\u{c}' | '\u{85}' | '\u{2028}' | '\u{2029}'
    )
}

/// The visible sign of a C0 control or of DEL.
pub(super) fn picture(c: char) -> Option<char> {
    match c {
        '\0'..='\u{1f}' => char::from_u32(0x2400 + u32::from(c)),
        '\u{7f}' => Some('␡'),
        _ => None,
    }
}

/// Whether `c` leaves no mark of its own, or only moves others about.
///
/// These are DEL and C1 controls, `Default_Ignorable_Code_Point` of Unicode 16, the bidirectional
/// controls among it, what annotates or lays out without a glyph, and noncharacters. Prefixed
/// number signs such as U+0600 are formats by name but have a glyph, so they are not here.
///
/// ```
/// use attend_core::attention::is_unseen;
///
/// assert!(is_unseen('\u{200b}') && is_unseen('\u{202e}') && !is_unseen('é'));
/// ```
pub fn is_unseen(c: char) -> bool {
    match c {
        '\0'..='\u{7e}' => false,
        '\u{7f}'..='\u{9f}'
        | '\u{ad}'
        | '\u{34f}'
        | '\u{61c}'
        | '\u{115f}'..='\u{1160}'
        | '\u{17b4}'..='\u{17b5}'
        | '\u{180b}'..='\u{180f}'
        | '\u{200b}'..='\u{200f}'
        | '\u{2028}'..='\u{202e}'
        | '\u{2060}'..='\u{206f}'
        | '\u{3164}'
        | '\u{fdd0}'..='\u{fdef}'
        | '\u{fe00}'..='\u{fe0f}'
        | '\u{feff}'
        | '\u{ffa0}'
        | '\u{fff0}'..='\u{fffb}'
        | '\u{13430}'..='\u{13440}'
        | '\u{1bca0}'..='\u{1bca3}'
        | '\u{1d173}'..='\u{1d17a}'
        | '\u{e0000}'..='\u{e0fff}' => true,
        _ => u32::from(c) & 0xfffe == 0xfffe,
    }
}

/// Whether `c` is a picture that U+200D can join to another.
///
/// Rule GB11 of UAX 29 joins `Extended_Pictographic` over U+200D and nothing else, so the
/// segmentation crate knows the table. What extends any character is told apart by a letter.
pub(super) fn is_pictographic(c: char) -> bool {
    let one = |text: String| text.graphemes(true).nth(1).is_none();
    c >= '©' && one(['☺', '\u{200d}', c].iter().collect()) && !one(['a', c].iter().collect())
}

/// Whether `c` gives a skin tone to the emoji before it.
pub(super) fn is_skin_tone(c: char) -> bool {
    matches!(c, '\u{1f3fb}'..='\u{1f3ff}')
}

/// The three flags that are spelt with tag characters after U+1F3F4: England, Scotland, Wales.
pub(super) const TAGGED_FLAGS: [&str; 3] = [
    "\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}",
    "\u{e0067}\u{e0062}\u{e0073}\u{e0063}\u{e0074}\u{e007f}",
    "\u{e0067}\u{e0062}\u{e0077}\u{e006c}\u{e0073}\u{e007f}",
];

/// Whether `c` is an opening square bracket or looks much like one.
pub(super) fn opens(c: char) -> bool {
    c == '[' || !c.is_ascii() && "［﹇【〔〖〘〚﹝︹︻⁅❲⟦⟬⦋⦍⦏⦗⎡⎢⎣⌈⌊⸢⸤".contains(c)
}

/// Whether `rest`, which follows an opening bracket, reads `attend`.
///
/// Blanks, unseen characters, signs of controls and combining marks are passed over. None of
/// them opens a bracket, so looking from every bracket of a text stays linear in its length.
pub(super) fn reads_attend(rest: &str) -> bool {
    let mut seen = rest.chars().filter(|c| !is_passed_over(*c));
    "attend"
        .chars()
        .all(|letter| seen.next().is_some_and(|c| looks_like(c, letter)))
}

fn is_passed_over(c: char) -> bool {
    let marks = matches!(c, '\u{300}'..='\u{36f}' | '\u{483}'..='\u{489}' | '\u{1ab0}'..='\u{1aff}'
        | '\u{1dc0}'..='\u{1dff}' | '\u{20d0}'..='\u{20ff}' | '\u{fe20}'..='\u{fe2f}');
    let signs = matches!(c, '⏎' | '\u{2400}'..='\u{2426}' | '\u{2800}');
    marks || signs || c.is_whitespace() || c.is_control() || is_unseen(c)
}

/// Whether `c` can be taken for `letter`, one of the five of `attend`.
fn looks_like(c: char, letter: char) -> bool {
    if c.is_ascii() {
        return c.to_ascii_lowercase() == letter;
    }
    styled(c) == Some(letter) || lookalikes(letter).contains(c)
}

/// The small ASCII letter of which `c` is a fullwidth, mathematical or enclosed form.
fn styled(c: char) -> Option<char> {
    let first = match c {
        '\u{249c}'..='\u{24b5}' => '\u{249c}',
        '\u{24b6}'..='\u{24e9}' => '\u{24b6}',
        '\u{ff21}'..='\u{ff3a}' => '\u{ff21}',
        '\u{ff41}'..='\u{ff5a}' => '\u{ff41}',
        '\u{1d400}'..='\u{1d6a3}' => '\u{1d400}',
        '\u{1f110}'..='\u{1f129}' => '\u{1f110}',
        '\u{1f130}'..='\u{1f149}' => '\u{1f130}',
        '\u{1f150}'..='\u{1f169}' => '\u{1f150}',
        '\u{1f170}'..='\u{1f189}' => '\u{1f170}',
        '\u{1f1e6}'..='\u{1f1ff}' => '\u{1f1e6}',
        _ => return None,
    };
    char::from_u32(u32::from('a') + (u32::from(c) - u32::from(first)) % 26)
}

/// `letter` with marks and in other forms, and what looks or sounds like it in other scripts.
fn lookalikes(letter: char) -> &'static str {
    match letter {
        'a' => {
            "ªÀÁÂÃÄÅàáâãäåĀāĂăĄąǍǎǞǟǠǡǺǻȀȁȂȃȦȧᴬᵃḀḁẠạẢảẤấẦầẨẩẪẫẬậẮắẰằẲẳẴẵẶặₐÅ\
             ɑɐΑαΆάАаӐӑӒӓᴀᎪꓮⲀⲁ⍺"
        }
        't' => "ŢţŤťȚțŦŧƬƭƮʈᵀᵗṪṫṬṭṮṯṰṱẗₜΤτТтҬҭᴛᎢꓔⲦⲧ⊤⟙",
        'e' => {
            "ÈÉÊËèéêëĒēĔĕĖėĘęĚěȄȅȆȇȨȩɆɇᴱᵉḔḕḖḗḘḙḚḛḜḝẸẹẺẻẼẽẾếỀềỂểỄễỆệₑℯℰⅇ℮\
             ɛƐΕεΈέϵЀЁЕеёѐєЄҽӖӗᴇᎬꓰⲈⲉⴹ⋿ꬲ"
        }
        'n' => "ÑñŃńŅņŇňŊŋǸǹƝƞȠɲᴺṄṅṆṇṈṉṊṋⁿₙℕΝηНнПпИиՈոռɴꓠⲚⲛ",
        'd' => "ĎďĐđÐðƊɗɖᴰᵈḊḋḌḍḎḏḐḑḒḓⅅⅆⅮⅾԀԁДдᴅᎠᏧꓓ",
        _ => "",
    }
}
