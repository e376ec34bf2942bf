//! Takes a character back to its plain form: what case, width, accent and script variant add is let go.

use std::collections::HashMap;
use std::sync::LazyLock;

use crate::sanitize::is_invisible;

/// `text` in plain characters. Line ends stay, other white space becomes a blank.
pub(super) fn fold(text: &str) -> Vec<char> {
    let mut plain = Vec::with_capacity(text.len());
    for c in text.chars() {
        match c {
            'a'..='z' | '0'..='9' | '\n' => plain.push(c),
            'A'..='Z' => plain.push(c.to_ascii_lowercase()),
            _ if c.is_ascii() => plain.push(if c.is_whitespace() { ' ' } else { c }),
            _ => fold_wide(c, &mut plain),
        }
    }
    plain
}

/// Calls `put` with the plain form of a character: none, one, or a few characters.
pub fn plain(c: char, mut put: impl FnMut(char)) {
    match c {
        'A'..='Z' => put(c.to_ascii_lowercase()),
        _ if c.is_ascii() => put(c),
        _ => {
            let mut plain = Vec::new();
            fold_wide(c, &mut plain);
            plain.into_iter().for_each(put);
        }
    }
}

fn fold_wide(c: char, plain: &mut Vec<char>) {
    if is_invisible(c) || matches!(c, '\u{300}'..='\u{36F}') {
        return;
    }
    if c.is_whitespace() {
        plain.push(if matches!(c, '\u{2028}' | '\u{2029}') {
            '\n'
        } else {
            ' '
        });
        return;
    }
    let c = match c {
        '\u{FF01}'..='\u{FF5E}' => char::from_u32(u32::from(c) - 0xFEE0).unwrap_or(c),
        '\u{2018}' | '\u{2019}' | '\u{2BC}' => '\'',
        '\u{2010}' | '\u{2011}' | '\u{2212}' => '-',
        '\u{2026}' | '\u{FF61}' => '.',
        _ => simplified(c),
    };
    for lower in c.to_lowercase() {
        match unaccented(lower) {
            Some(base) => plain.extend(base.chars()),
            // Lower case of some letters is a letter and a mark.
            None if matches!(lower, '\u{300}'..='\u{36F}') => {}
            None => plain.push(lower),
        }
    }
}

/// The letters under the accents of Western European languages.
fn unaccented(c: char) -> Option<&'static str> {
    Some(match c {
        'à'..='å' | 'ā' | 'ă' | 'ą' => "a",
        'æ' => "ae",
        'ç' | 'ć' | 'č' => "c",
        'è'..='ë' | 'ē' | 'ę' | 'ě' => "e",
        'ì'..='ï' | 'ī' => "i",
        'ñ' | 'ń' | 'ň' => "n",
        'ò'..='ö' | 'ø' | 'ō' | 'ő' => "o",
        'ù'..='ü' | 'ū' | 'ů' | 'ű' => "u",
        'ý' | 'ÿ' => "y",
        'ß' => "ss",
        'œ' => "oe",
        'ś' | 'š' => "s",
        'ź' | 'ż' | 'ž' => "z",
        'ł' => "l",
        _ => return None,
    })
}

/// Traditional characters and their simplified forms, pair by pair: those that rules are written with.
const VARIANTS: &str = "請请這这個个們们總总從从須须應应該该務务絕绝對对許许準准會会還还為为與与並并將将給给讓让裡里裏里\
後后時时儘尽盡尽過过於于來来無无沒没開开關关測测試试運运執执碼码檔档專专項项編编寫写檢检查查規规則则範范語语\
簡简體体繁繁輸输錄录導导庫库環环變变數数據据類类函函調调認认證证權权檢检錯错誤误處处連连線线網网頁页設设計计\
資资料料訊讯號号單单雙双種种級级長长間间優优選选擇择標标題题註注釋释說说話话讀读貼贴儲储備备份份複复製制製制\
刪删除除換换發发佈布版版構构建建結结邏逻輯辑參参訪访問问題题實实現现圖图狀状態态動动靜静進进階阶遷迁移移齊齐\
縮缩壓压縮缩歸归併并衝冲突突倉仓儲储確确優优腳脚鍵键盤盘埠端響响覆覆蓋盖維维護护隊队員员組组織织負负責责當当\
斷断異异習习慣惯點点擊击鏈链麼么樣样著着隨随僅仅隻只禁禁嚴严慮虑棄弃獨独產产業业務务預预終终極极輕轻區区幾几\
軟软硬硬體体術术報报釘钉鎖锁鑰钥禮礼貨货財财載载傳传遞递協协議议達达適适遠远邊边鄰邻隱隐離离難难電电順顺須须\
領领頭头顯显風风飛飞館馆驗验體体麗丽黃黄齒齿龍龙寧宁寶宝專专尋寻層层屬属帶带幫帮庫库張张強强彈弹後后徑径從从\
復复憑凭應应懷怀戰战戶户擴扩擷撷擋挡據据擬拟攔拦敗败敘叙斷断於于時时曆历會会條条東东樹树橋桥機机權权歷历歸归";

fn simplified(c: char) -> char {
    static TABLE: LazyLock<HashMap<char, char>> = LazyLock::new(|| {
        let forms: Vec<char> = VARIANTS.chars().collect();
        forms
            .chunks_exact(2)
            .map(|pair| (pair[0], pair[1]))
            .filter(|(from, to)| from != to)
            .collect()
    });
    TABLE.get(&c).copied().unwrap_or(c)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: &str) {
        assert_eq!(fold(text).into_iter().collect::<String>(), expected);
    }

    #[test]
    fn case_width_accents_and_variants_go() {
        check("ＡＢＣ，Naïve Café ß İ", "abc,naive cafe ss i");
        check("cafe\u{301} a\u{200B}b\u{A0}c\td", "cafe ab c d");
        check("請運行測試", "请运行测试");
    }

    #[test]
    fn variants_come_in_pairs() {
        assert_eq!(VARIANTS.chars().count() % 2, 0);
        // A simplified form that is itself rewritten would make folding depend on how often it is done.
        for c in VARIANTS.chars() {
            assert_eq!(simplified(simplified(c)), simplified(c), "{c}");
        }
    }
}
