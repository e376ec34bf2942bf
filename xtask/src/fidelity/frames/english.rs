//! English sentences with holes.

/// Values that the user tells.
pub(crate) const RECALL: [&str; 16] = [
    "The staging box answers on {P:address}.",
    "Our {w} key for the sandbox is {P:id}.",
    "{N} owns the {w} service, and the alias over there is {P:id}.",
    "The {w} table takes {P:count} rows before it spills.",
    "What we call {P:pair} in meetings is just the {w} cache.",
    "They gave us build {P:version}, from the {w} run.",
    "{P:id} is the flag behind all of that.",
    "Last night's {w} run ended at {P:count} and nobody knows why.",
    "In production the {w} goes by the name {P:pair}.",
    "The customer's tenant: {P:id}.",
    "{N} measured {P:measure} on her laptop with {w} turned off.",
    "The {w} bucket is {P:id}, mirrored to {Q:id}.",
    "There is a magic {P:count} in the {w} protocol, it comes from the hardware.",
    "Our contact for {w} sits in the {P:pair} team.",
    "The {w} fallback used to be {i}, these days it is {P:id}.",
    "Tickets about {w} carry the label {P:pair}.",
];

/// Files that the user speaks of.
pub(crate) const ARTIFACT: [&str; 15] = [
    "I moved the {w} part into {P:path} yesterday.",
    "{P:path} is generated, it comes out of the {w} step.",
    "+Put the new {w} code into {P:path}.",
    "The old {w} lives in {P:path} and can go away.",
    "{N} deleted {P:path} last week because of {w}.",
    "Everything about {w} is written down in {P:path}.",
    "The {w} recordings are in {P:path}, made by hand.",
    "+Create {P:path} for the {w} glue.",
    "I already touched {P:path} myself: the {w} loop is now called {Q:pair}.",
    "{P:path} breaks on {w}, that's the one I mean.",
    "Half of {P:path} came from {w}, so read it before you judge.",
    "You'll find the {w} schema in {P:path}.",
    "+We want the {w} notes in {P:path}.",
    "Somebody reverted {P:path} over the weekend.",
    "The tests for {i} went to {P:path}.",
];

/// What is done and what is open, as the user tells it.
pub(crate) const CONTINUATION: [&str; 15] = [
    "The {P:pair} migration is finished, the {w} one isn't.",
    "Next up is {P:id}.",
    "We're still waiting on {N} for {P:pair}.",
    "Step {n} of the plan, {P:pair}, is done; {Q:id} comes after it.",
    "Once this works, {P:id} gets the same treatment.",
    "{P:pair} is half done: the {w} side compiles, the rest doesn't.",
    "Leave {P:id} open, I'll come back to it tomorrow.",
    "After the {w} we do {P:pair}, then the release.",
    "The {w} ticket {P:id} is blocked until the {w} lands.",
    "So far {P:pair} alone passes on the {w} machine.",
    "{P:id} was merged this morning, that part is off the list.",
    "Two things remain: {P:pair} and {Q:id}.",
    "I paused {P:pair} in the middle, the {w} half is untouched.",
    "Everything but {P:id} is green now.",
    "{N} takes over {P:pair} on Monday.",
];

/// What was decided, wanted or corrected.
pub(crate) const DECISION: [&str; 17] = [
    "We went with {P:id} over {i} because the {w} can't handle {Q:pair}.",
    "Never call {P:id} from the {w} thread.",
    "Don't use {i} here, it has to be {P:id}.",
    "I'd rather have {P:pair} than another {w}.",
    "No, that's wrong: the {w} wants {P:id}.",
    "{N} and I settled on {P:pair} for the {w}.",
    "Always run {P:id} before you touch the {w}.",
    "{P:pair} it is; the {w} idea is dead.",
    "The reason we left {i} was {P:pair}.",
    "Everything under {P:path} stays as it is until the review.",
    "From now on the messages carry {P:id}.",
    "Keep the {w} below {P:count}, the vendor cuts us off above that.",
    "Actually, take {P:id} instead of {i}.",
    "{i} lost against {P:id} on {w}, so that one is out.",
    "Legal signed off on {P:pair} and on nothing else.",
    "The {w} thing is too slow for us, hence {P:pair}.",
    "Names in the {w} layer start with {P:id}, no exceptions.",
];

/// Values that the model found.
pub(crate) const MODEL_RECALL: [&str; 5] = [
    "The {w} limit turns out to be {P:count}.",
    "The service registers itself as {P:id}.",
    "What the {w} reads at start is {P:pair}.",
    "Its default comes from {P:id}, which nothing in {f} mentions.",
    "The slowest case took {P:measure} in total.",
];

/// Files that the model speaks of.
pub(crate) const MODEL_ARTIFACT: [&str; 5] = [
    "The culprit is {P:path}: it holds a stale {w}.",
    "I left {P:path} alone, since {w} imports it.",
    "{P:path} is dead code now.",
    "The {w} entry point turned out to be {P:path}.",
    "Nothing but {P:path} still refers to {i}.",
];

/// What the model has done and will do.
pub(crate) const MODEL_CONTINUATION: [&str; 5] = [
    "That completes {P:pair}; {Q:id} is what remains.",
    "I have not started on {P:id} yet.",
    "The {P:pair} half works, the {w} half still fails.",
    "What is missing is {P:pair}.",
    "With {P:id} out of the way, the {w} can follow.",
];

/// What the model decided.
pub(crate) const MODEL_DECISION: [&str; 5] = [
    "I chose {P:id} over {i}, because the {w} blocks otherwise.",
    "The root cause was {P:pair}.",
    "I settled on {P:pair} for the {w}.",
    "Going through {P:id} avoids the {w} lock.",
    "I dropped the {w} approach in favour of {P:pair}.",
];

/// What stands before a fact without saying anything.
pub(crate) const LEADS: [&str; 12] = [
    "",
    "",
    "",
    "",
    "",
    "",
    "By the way: ",
    "Oh, and one more thing. ",
    "Before I forget. ",
    "Hm. ",
    "Right. ",
    "Since you ask: ",
];

/// What a user says beside facts.
pub(crate) const IDLE_USER: [&str; 30] = [
    "Can you look at {f} again?",
    "The {w} in {f} still looks odd to me.",
    "ok, go on",
    "Thanks, that works.",
    "Why does {i} need the {w} at all?",
    "Could you explain what {i} does with the {w}?",
    "Run the tests again please.",
    "I don't mind which {w} you pick here.",
    "Hmm, not sure about the {w}.",
    "Show me the diff of {f}.",
    "About {n} of the {w} cases take very long.",
    "Now the same for {i}.",
    "Can we make the {w} a bit faster?",
    "I think {i} is fine as it is.",
    "Use whatever {w} you like there.",
    "The {w} output is hard to read, but never mind.",
    "Have a look at how {i} does it in {f}.",
    "That's better.",
    "Something is off with {i}, it always prints the {w} twice.",
    "What about the {w} and the {w}?",
    "Please clean up {f} a little.",
    "It fails on my machine, same {w} as before.",
    "Let's see what {f} says.",
    "Is {i} used anywhere else?",
    "Fine, do that.",
    "Rename the {w} in {f} so that it reads well.",
    "I tried it, the {w} flickers for a second.",
    "Only the {w} tests matter right now.",
    "You can ignore the warning from {i}.",
    "Let me know when the {w} compiles.",
];

/// What a model says beside facts.
pub(crate) const IDLE_MODEL: [&str; 22] = [
    "I'll look at {f} first.",
    "Now I'll run the tests.",
    "The {w} is built in {i} and handed to the {w}.",
    "Let me check how {i} is used.",
    "{f} reads the {w} before it writes the {w}.",
    "That matches what we saw in {i}.",
    "The change to {f} is small: the {w} now goes through {i}.",
    "All checks pass.",
    "I'll adjust {i} accordingly.",
    "The {w} path is covered by the tests in {f}.",
    "This is a matter of order: {i} runs before the {w} is there.",
    "The next thing to look at is {f}.",
    "As expected, the {w} is empty at that point.",
    "I kept the signature of {i}, so callers stay as they are.",
    "There are {n} callers of {i}, none of them in the {w} layer.",
    "The {w} of {i} is only needed for the {w}.",
    "It compiles again.",
    "I'll search for other places that touch the {w}.",
    "The output shows the {w} twice, which is harmless.",
    "Here is what I found in {f}.",
    "So {i} never sees the {w} that {i} prepares.",
    "The {w} test is flaky, it passed on the second try.",
];

/// Values that commands print.
pub(crate) const PRINTED: [&str; 4] = [
    "current {w}: {P:version}",
    "{w} id {P:id}",
    "selected {P:pair}.",
    "{i}={P:address}",
];

/// What programs complain about; what stands behind the bar is the fact.
pub(crate) const ERRORS: [&str; 6] = [
    "error[E0425]: |cannot find value `{P:id}` in module `{i}`",
    "TypeError: |{P:id} is not iterable",
    "fatal: |unable to open {P:path}: too many links",
    "thread 'main' panicked at |{f}:41:9: {P:pair} out of range",
    "Error: |timeout while waiting for {P:pair}",
    "FAILED: |{i} expected {P:count}, got nothing",
];

/// Steps of a plan.
pub(crate) const STEPS: [&str; 3] = ["Finish {P:pair}", "Port {i} to {P:id}", "{P:pair} for {w}"];

/// What commits say.
pub(crate) const COMMITS: [&str; 3] = [
    "Use {P:id} over {i}: {w} was too slow",
    "{w}: drop {i} for {P:pair}",
    "Switch {w} to {P:pair}",
];
