//! Who may do what: rules, and what they decide.
