//! The default rules.

use super::protected::ControlFiles;
use super::{Places, Reading, Rule, Tier, read};

/// Each file with its name as it is shown.
const FILES: [(&str, &str); 4] = [
    (
        "shipped/read.toml",
        include_str!("../../policies/read.toml"),
    ),
    (
        "shipped/write.toml",
        include_str!("../../policies/write.toml"),
    ),
    (
        "shipped/plan.toml",
        include_str!("../../policies/plan.toml"),
    ),
    (
        "shipped/yolo.toml",
        include_str!("../../policies/yolo.toml"),
    ),
];

/// Our own rules.
#[must_use]
pub fn shipped(places: &Places) -> Vec<Rule> {
    let rules = FILES.iter().flat_map(|(file, text)| {
        let tier = Tier::Default;
        // A test reads them and finds no problem.
        read(text, &Reading { tier, file, places }).0
    });
    rules.chain([ControlFiles::default().into_rule()]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use analects_world::AbsPath;

    #[test]
    fn our_own_rules_have_no_problems() {
        let path = |text| AbsPath::new(text).unwrap();
        let places = Places {
            project: path("/w"),
            home: path("/h"),
            plans: path("/h/p"),
        };
        for (file, text) in FILES {
            let tier = Tier::Default;
            let places = &places;
            let (rules, problems) = read(text, &Reading { tier, file, places });
            assert!(!rules.is_empty());
            assert_eq!(problems, []);
        }
    }
}
