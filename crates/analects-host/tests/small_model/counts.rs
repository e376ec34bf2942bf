//! Our estimate of tokens beside what a real tokenizer counts.
//!
//! This model's tokenizer knows English and code and little else, so other scripts are figures, not failures.

use analects_chat::budget::{Calibration, Sample as Counted};
use analects_chat::weigh::Counts;
use analects_host::HttpModels;
use analects_text::tokens;
use analects_world::Cancel;
use analects_world::models::{Models, Wire};

use crate::server::{Question, SmallModel, WIRES, say};

#[test]
fn a_count_is_what_the_answer_is_charged_for() {
    let Some(model) = SmallModel::find() else {
        return;
    };
    let mut question = Question::new("Name three colours.", 2);
    question.system = "You are brief.";
    let [counted, none] =
        [Wire::Anthropic, Wire::OpenAi].map(|wire| count(&model, wire, &question));
    assert_eq!(none, None, "nobody offers it there");
    for wire in WIRES {
        let answer = model.ask(wire, &question).unwrap();
        assert_eq!(counted, answer.usage.prompt, "{wire:?}");
    }
}

/// Each text in two halves: from the first ones it is learned, and the second ones are estimated.
#[test]
fn the_estimate_is_near_what_a_tokenizer_counts_and_nearer_once_it_has_learned() {
    let Some(model) = SmallModel::find() else {
        return;
    };
    let frame = counted(&model, "");
    let count = |text: &str| (counted(&model, text) - frame) as usize;
    let fresh = Calibration::default();
    let learned = Calibration::learn(SAMPLES.iter().map(|sample| {
        let (text, _) = halves(sample.text);
        Counted {
            counts: Counts::of_text(text),
            tokens: count(text),
        }
    }));
    say("error, %      counted     plain      ours   learned");
    let mut errors = [0.0; 3];
    for Sample { name, text, within } in SAMPLES {
        let (_, text) = halves(text);
        let counted = count(text);
        let counts = Counts::of_text(text);
        let estimates = [
            tokens::estimate(text),
            fresh.tokens(&counts),
            learned.tokens(&counts),
        ];
        let ratios = estimates.map(|estimate| estimate as f64 / counted as f64);
        let [plain, ours, after] = ratios.map(|ratio| (ratio - 1.0) * 100.0);
        say(&format!(
            "{name:<12}{counted:>9}{plain:>10.0}{ours:>10.0}{after:>10.0}"
        ));
        let [least, most] = within;
        let [ratio, ..] = ratios;
        assert!(
            ratio >= least && ratio <= most,
            "{name}: {ratio:.2} is not within {within:?}"
        );
        for (sum, ratio) in errors.iter_mut().zip(ratios) {
            *sum += (ratio - 1.0).abs() * 100.0 / SAMPLES.len() as f64;
        }
    }
    let [plain, ours, after] = errors;
    say(&format!("mean{plain:>27.0}{ours:>10.0}{after:>10.0}"));
    assert!(after < plain / 2.0 && after < 20.0, "{errors:?}");
}

/// A text cut in the middle, or near it.
fn halves(text: &str) -> (&str, &str) {
    let middle = (text.len() / 2..).find(|&at| text.is_char_boundary(at));
    text.split_at(middle.unwrap_or(text.len()))
}

fn counted(model: &SmallModel, text: &str) -> u64 {
    count(model, Wire::Anthropic, &Question::new(text, 1)).expect("it is counted on this wire")
}

fn count(model: &SmallModel, wire: Wire, question: &Question) -> Option<u64> {
    let models = HttpModels::default();
    let counted = models.count(&model.at(wire), &question.request(), &Cancel::new());
    counted.expect("it counts")
}

struct Sample {
    name: &'static str,
    text: &'static str,
    /// How far off the estimate may be.
    within: [f64; 2],
}

const SAMPLES: [Sample; 12] = [
    Sample {
        name: "English",
        text: "A heron stood at the edge of the long pond behind the mill. It had been there since \
            sunrise, and it would be there at noon, because whoever wants to catch fish must be able \
            to wait. The miller's children knew it well enough to leave it alone, and called it by a \
            name that none of them would tell a stranger.",
        within: [0.7, 1.6],
    },
    Sample {
        name: "German",
        text: "Am Rand des langen Teichs hinter der Mühle stand ein Reiher. Seit Sonnenaufgang stand \
            er dort, und mittags würde er noch immer dort stehen, denn wer Fische fangen möchte, muss \
            warten können. Die Kinder des Müllers kannten ihn gut genug, um ihn in Ruhe zu lassen.",
        within: [0.3, 1.5],
    },
    Sample {
        name: "French",
        text: "Un héron se tenait au bord du long étang, derrière le moulin. Il y était depuis le lever \
            du soleil et il y serait encore à midi, car celui qui veut prendre des poissons doit savoir \
            attendre. Les enfants du meunier le connaissaient assez pour le laisser tranquille.",
        within: [0.3, 1.5],
    },
    Sample {
        name: "Russian",
        text: "На краю длинного пруда за мельницей стояла цапля. Она стояла там с рассвета и простоит \
            до полудня, потому что тот, кто хочет поймать рыбу, должен уметь ждать. Дети мельника знали \
            её достаточно хорошо, чтобы не тревожить.",
        within: [0.3, 6.0],
    },
    Sample {
        name: "Chinese",
        text: "磨坊后面的长池塘边站着一只苍鹭。它从日出起就站在那里，到中午也还会在那里，因为想抓鱼的人必须能够等待。\
            磨坊主的孩子们很了解它，所以不去打扰它，还给它起了一个从不告诉陌生人的名字。",
        within: [0.3, 3.0],
    },
    Sample {
        name: "Japanese",
        text: "水車小屋の裏にある長い池のほとりに、一羽のサギが立っていた。日の出からそこにいて、昼になってもまだそこに\
            いるだろう。魚を捕まえたい者は待つことができなければならないからだ。",
        within: [0.3, 3.0],
    },
    Sample {
        name: "Korean",
        text: "방앗간 뒤 긴 연못가에 왜가리 한 마리가 서 있었다. 해가 뜰 때부터 거기 서 있었고 정오에도 여전히 거기 \
            있을 것이다. 물고기를 잡으려는 자는 기다릴 줄 알아야 하기 때문이다.",
        within: [0.2, 3.0],
    },
    Sample {
        name: "Arabic",
        text: "وقف مالك الحزين على حافة البركة الطويلة خلف الطاحونة. كان هناك منذ شروق الشمس وسيبقى حتى الظهر، \
            لأن من يريد صيد السمك يجب أن يعرف كيف ينتظر.",
        within: [0.3, 6.0],
    },
    Sample {
        name: "Rust",
        text: "/// The ponds that a heron can see from here, nearest first.\n\
            pub fn in_sight<'a>(ponds: &'a [Pond], from: Place, limit_m: u32) -> Vec<&'a Pond> {\n\
            \x20   let mut seen: Vec<_> = ponds\n\
            \x20       .iter()\n\
            \x20       .filter(|pond| pond.place.distance_m(from) <= limit_m && !pond.is_dry())\n\
            \x20       .collect();\n\
            \x20   seen.sort_by_key(|pond| pond.place.distance_m(from));\n\
            \x20   seen\n\
            }\n",
        within: [0.5, 1.6],
    },
    Sample {
        name: "JSON",
        text: r#"{"pond":{"id":17,"name":"Long Pond","place":{"lat":53.0714,"lon":8.8129},"fish":["carp","pike"],"depth_m":2.5,"is_dry":false},"seen":[{"bird":"heron","at":"2026-03-01T06:41:09.512Z","n":1},{"bird":"coot","at":"2026-03-01T06:44:57.003Z","n":12}]}"#,
        within: [0.3, 1.4],
    },
    Sample {
        name: "log",
        text: "2026-03-01T06:41:09.512Z INFO  mill::gate: opened, level 1.82 m, flow 0.431 m3/s\n\
            2026-03-01T06:41:10.018Z WARN  mill::wheel: slipped 3 of 48 teeth (id 7f3a9c0e)\n\
            2026-03-01T06:41:10.019Z ERROR mill::wheel: stopped after 0x1f4 turns: E_JAMMED\n",
        within: [0.2, 1.4],
    },
    Sample {
        name: "emoji",
        text: "🐟🐟🐟 🦆 👀 ✅ 🚀🚀 🎉 ❌ 🔥 👍🏽 👨‍👩‍👧",
        within: [0.2, 4.0],
    },
];
