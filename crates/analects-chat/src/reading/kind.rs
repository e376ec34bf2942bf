//! What a file is, by its name and its first bytes.

use super::is_binary;

/// What a file is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Lines to read.
    Text,
    /// A drawing that is shown as text.
    Svg,
    /// An image.
    Image,
    /// A document.
    Pdf,
    /// A sound.
    Audio,
    /// A film.
    Video,
    /// Nothing that could be shown.
    Binary,
}

impl Kind {
    /// The word for it.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Text => "text",
            Self::Svg => "svg",
            Self::Image => "image",
            Self::Pdf => "pdf",
            Self::Audio => "audio",
            Self::Video => "video",
            Self::Binary => "binary",
        }
    }
}

/// What a file is. `start` are its first bytes, [`super::SAMPLE_BYTES`] at least if there are as many.
#[must_use]
pub fn kind(name: &str, start: &[u8]) -> Kind {
    let ending = ending(name);
    // Their endings are those of films as well.
    if ["ts", "mts", "cts"].contains(&&*ending) {
        return Kind::Text;
    }
    if ending == "svg" {
        return Kind::Svg;
    }
    let known = mime_of(&ending).map(|mime| mime.split('/').next().unwrap_or_default());
    match known {
        Some("image") => Kind::Image,
        Some("application") => Kind::Pdf,
        // Names lie about these more often.
        Some("audio" | "video") if !is_binary(start) => Kind::Text,
        Some("audio") => Kind::Audio,
        Some("video") => Kind::Video,
        _ if BINARY.contains(&&*ending) || is_binary(start) => Kind::Binary,
        _ => Kind::Text,
    }
}

/// What a medium is to a model; `None` if models do not take it.
#[must_use]
pub fn mime(name: &str) -> Option<&'static str> {
    mime_of(&ending(name)).filter(|mime| is_taken(mime))
}

/// Whether models take a medium of this type.
#[must_use]
pub fn is_taken(mime: &str) -> bool {
    let is_known = MEDIA.iter().any(|&(known, _)| known == mime);
    is_known && (!mime.starts_with("audio/") || AUDIO_TAKEN.contains(&mime))
}

/// What stands behind the last dot, in lower case; nothing for a name that only opens with one.
fn ending(name: &str) -> String {
    let name = name.rsplit('/').next().unwrap_or_default();
    match name.rsplit_once('.') {
        Some((stem, ending)) if !stem.is_empty() => ending.to_lowercase(),
        _ => String::new(),
    }
}

fn mime_of(ending: &str) -> Option<&'static str> {
    let row = MEDIA
        .iter()
        .find(|(_, endings)| endings.split(' ').any(|known| known == ending));
    row.map(|&(mime, _)| mime)
}

const AUDIO_TAKEN: [&str; 6] = [
    "audio/mpeg",
    "audio/wav",
    "audio/aiff",
    "audio/aac",
    "audio/ogg",
    "audio/flac",
];

const BINARY: [&str; 33] = [
    "bin", "exe", "dll", "so", "dylib", "class", "jar", "war", "zip", "tar", "gz", "bz2", "rar",
    "7z", "pak", "rpa", "doc", "docx", "xls", "xlsx", "ppt", "pptx", "odt", "ods", "odp", "pyc",
    "pyo", "dat", "obj", "o", "a", "lib", "wasm",
];

/// Registered media types and their endings.
const MEDIA: [(&str, &str); 78] = [
    ("application/pdf", "pdf"),
    ("audio/aac", "adts aac"),
    ("audio/adpcm", "adp"),
    ("audio/aiff", "aiff aif"),
    ("audio/amr", "amr"),
    ("audio/basic", "au snd"),
    ("audio/flac", "flac"),
    ("audio/midi", "mid midi kar rmi"),
    ("audio/mobile-xmf", "mxmf"),
    ("audio/mp4", "m4a mp4a m4b"),
    ("audio/mpeg", "mpga mp2 mp2a mp3 m2a m3a"),
    ("audio/ogg", "oga ogg spx opus"),
    ("audio/s3m", "s3m"),
    ("audio/silk", "sil"),
    ("audio/wav", "wav"),
    ("audio/webm", "weba"),
    ("audio/xm", "xm"),
    ("image/aces", "exr"),
    ("image/apng", "apng"),
    ("image/avci", "avci"),
    ("image/avcs", "avcs"),
    ("image/avif", "avif"),
    ("image/bmp", "bmp dib"),
    ("image/cgm", "cgm"),
    ("image/dicom-rle", "drle"),
    ("image/dpx", "dpx"),
    ("image/emf", "emf"),
    ("image/fits", "fits"),
    ("image/g3fax", "g3"),
    ("image/gif", "gif"),
    ("image/heic", "heic"),
    ("image/heic-sequence", "heics"),
    ("image/heif", "heif"),
    ("image/heif-sequence", "heifs"),
    ("image/hej2k", "hej2"),
    ("image/ief", "ief"),
    ("image/jaii", "jaii"),
    ("image/jais", "jais"),
    ("image/jls", "jls"),
    ("image/jp2", "jp2 jpg2"),
    ("image/jpeg", "jpg jpeg jpe"),
    ("image/jph", "jph"),
    ("image/jphc", "jhc"),
    ("image/jpm", "jpm jpgm"),
    ("image/jpx", "jpx jpf"),
    ("image/jxl", "jxl"),
    ("image/jxr", "jxr"),
    ("image/jxra", "jxra"),
    ("image/jxrs", "jxrs"),
    ("image/jxs", "jxs"),
    ("image/jxsc", "jxsc"),
    ("image/jxsi", "jxsi"),
    ("image/jxss", "jxss"),
    ("image/ktx", "ktx"),
    ("image/ktx2", "ktx2"),
    ("image/pjpeg", "jfif"),
    ("image/png", "png"),
    ("image/sgi", "sgi"),
    ("image/svg+xml", "svgz"),
    ("image/t38", "t38"),
    ("image/tiff", "tif tiff"),
    ("image/tiff-fx", "tfx"),
    ("image/webp", "webp"),
    ("image/wmf", "wmf"),
    ("video/3gpp", "3gp 3gpp"),
    ("video/3gpp2", "3g2"),
    ("video/h261", "h261"),
    ("video/h263", "h263"),
    ("video/h264", "h264"),
    ("video/iso.segment", "m4s"),
    ("video/jpeg", "jpgv"),
    ("video/mj2", "mj2 mjp2"),
    ("video/mp2t", "m2t m2ts"),
    ("video/mp4", "mp4 mp4v mpg4"),
    ("video/mpeg", "mpeg mpg mpe m1v m2v"),
    ("video/ogg", "ogv"),
    ("video/quicktime", "qt mov"),
    ("video/webm", "webm"),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_believed_where_names_are_right() {
        assert_eq!(kind("/a/b.PNG", b"text"), Kind::Image);
        assert_eq!(kind("/a/b.pdf", b"text"), Kind::Pdf);
        assert_eq!(kind("/a/b.so", b"text"), Kind::Binary);
        assert_eq!(kind("/a/b.ts", &[0]), Kind::Text);
        assert_eq!(kind("/a/b.mp4", b"text"), Kind::Text);
        assert_eq!(kind("/a/b.mp4", &[0]), Kind::Video);
        assert_eq!(kind("/a.png/.png", b"text"), Kind::Text);
        assert_eq!(kind("/a/Makefile", &[0]), Kind::Binary);
    }

    #[test]
    fn only_sounds_that_models_take_have_a_type() {
        assert_eq!(mime("a.aif"), Some("audio/aiff"));
        assert_eq!(mime("a.m4a"), None);
        assert_eq!(mime("a.jpg"), Some("image/jpeg"));
        assert_eq!(mime("a.rs"), None);
    }
}
