//! Fills the room: each class its own share first, the rest by worth.

use super::item::{Class, Item};

/// What the seven pairs of tags cost.
const FRAME_TOKENS: usize = 90;

/// The items that fit, in the order of the history.
pub(super) fn choose(items: Vec<Item>, budget_tokens: usize) -> Vec<Item> {
    let budget = budget_tokens.saturating_sub(FRAME_TOKENS) * 4;
    let mut ranked: Vec<_> = items
        .into_iter()
        .map(|item| (item.density(), item))
        .collect();
    ranked.sort_by(|(a_density, a), (b_density, b)| {
        let dearest = b_density.total_cmp(a_density);
        dearest.then_with(|| a.at.cmp(&b.at))
    });
    let items: Vec<_> = ranked.into_iter().map(|(_, item)| item).collect();
    let mut spent = 0;
    let mut is_taken = vec![false; items.len()];
    for class in Class::ALL {
        let share = budget * class.percent() / 100;
        let of_class = |item: &Item| item.class == class;
        spent += fill(
            &items,
            &mut is_taken,
            share.min(budget - spent.min(budget)),
            of_class,
        );
    }
    fill(&items, &mut is_taken, budget.saturating_sub(spent), |_| {
        true
    });
    let both = items.into_iter().zip(is_taken);
    let mut chosen: Vec<_> = both.filter_map(|(item, is)| is.then_some(item)).collect();
    chosen.sort_by_key(|item| item.at);
    chosen
}

/// Takes the items that are wanted as long as there is room; answers what they cost.
fn fill(
    items: &[Item],
    is_taken: &mut [bool],
    room: usize,
    is_wanted: impl Fn(&Item) -> bool,
) -> usize {
    let mut spent = 0;
    for (item, is_taken) in items.iter().zip(is_taken) {
        let cost = item.cost();
        if !*is_taken && is_wanted(item) && spent + cost <= room {
            *is_taken = true;
            spent += cost;
        }
    }
    spent
}
