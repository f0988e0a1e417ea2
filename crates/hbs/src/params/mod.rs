//! The table of parameter sets: one row per set, every size computed from its row.

pub mod domain;
mod hierarchy;
mod names;
mod table;

pub use hierarchy::MOST_LEVELS;
#[cfg(feature = "legacy")]
pub use table::LEGACY;
pub use table::SETS;
#[cfg(feature = "toy")]
pub use table::TOYS;

/// The draft that defines the sets with [`Set::draft`].
pub const DRAFT: &str = "NIST SP 800-230, initial public draft of 13 April 2026";

/// Size of I, the identifier of an LMS tree, in bytes.
pub(crate) const LMS_ID_BYTES: usize = 16;

/// The scheme of a row, with the columns that only this scheme has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Scheme {
    /// RFC 8391, section 4.1 (XMSS: eXtended Merkle Signature Scheme): one tree of WOTS+ keys.
    Xmss,
    /// RFC 8391, section 4.2 (XMSS^MT: Multi-Tree XMSS): d layers of such trees.
    XmssMt,
    /// RFC 8554, section 5 (Leighton-Micali Signatures): one tree of LM-OTS keys.
    Lms {
        /// The LM-OTS typecode.
        ots: u32,
    },
    /// RFC 8554, section 6 (Hierarchical Signatures): trees of LMS keys that sign trees below.
    Hss {
        /// The set of every level, the highest first. h is the height of all levels together, and
        /// the number is that of the highest level. Most other columns are those of the lowest
        /// level.
        levels: &'static [&'static Set],
    },
    /// FIPS 205, Section 11 (Parameter Sets): a hypertree of WOTS+ keys over FORS trees.
    SlhDsa {
        /// Height of a FORS tree, a.
        a: u32,
        /// Number of FORS trees, k.
        k: u32,
    },
}

/// The hash function of a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Hash {
    /// SHA-256, cut to n bytes.
    Sha256,
    /// SHA-512.
    Sha512,
    /// SHAKE128 with n bytes of output.
    Shake128,
    /// SHAKE256 with n bytes of output.
    Shake256,
}

/// The number that identifies a set in encodings. Each standard numbers its own sets.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Number {
    /// The "OID" of RFC 8391 for XMSS, with which a public key begins.
    Xmss(u32),
    /// The "OID" of RFC 8391 for XMSS^MT. These numbers overlap with those of XMSS.
    XmssMt(u32),
    /// The typecode of RFC 8554 for an LMS tree; that of its one-time keys is in [`Scheme::Lms`].
    Typecode(u32),
    /// The last arc of the object identifier 2.16.840.1.101.3.4.3.x, for SLH-DSA.
    Arc(u32),
    /// No number: the set is from a draft.
    None,
}

impl Number {
    /// Returns the number as encodings contain it, or 0 if there is none.
    pub const fn get(self) -> u32 {
        match self {
            Self::Xmss(number) | Self::XmssMt(number) => number,
            Self::Typecode(number) | Self::Arc(number) => number,
            Self::None => 0,
        }
    }
}

/// One parameter set: a row of [`SETS`].
///
/// Sets exist only as rows of the table and as references to them. Other code can neither copy nor
/// construct a set, so no set is ever altered.
///
/// ```compile_fail
/// let mut set = *hasten_hbs::Set::named("XMSS-SHA2_10_256").unwrap();
/// set.h = 3;
/// ```
#[derive(Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Set {
    /// The name in the standard.
    pub name: &'static str,
    /// The scheme, with the columns that only this scheme has.
    pub scheme: Scheme,
    /// The number that identifies the set in encodings; for HSS, that of the highest tree.
    pub number: Number,
    /// Hash function.
    pub hash: Hash,
    /// Size of a node in bytes, n.
    pub n: usize,
    /// Bits of a Winternitz digit, lg w.
    pub lg_w: u32,
    /// Height of the whole tree, h.
    pub h: u32,
    /// Number of layers of trees, d.
    pub d: u32,
    /// Whether the set is approved by NIST SP 800-208 or FIPS 205.
    pub nist: bool,
    /// Whether the set is among the algorithms of CNSA 2.0, which excludes HSS and XMSS^MT.
    pub cnsa: bool,
    /// Whether the set is from a draft: it may change, and has no number yet.
    pub draft: bool,
    /// Maximum number of signatures of a key, for the sets of SP 800-230. Such a key needs no
    /// state, but loses security with each further signature.
    pub limit: Option<u64>,
    /// Whether the set is SPHINCS+ of round 3.1. It reads the numbers of FORS leaves least
    /// significant bit first and puts nothing before the message, so it differs from the set of
    /// FIPS 205 with the same sizes.
    pub round31: bool,
}

impl Set {
    /// Returns the row with this name or alias. Case is ignored; `_` may replace `/`. `HSS(A,B)`
    /// names the levels of HSS, the highest first. With one level, `HSS(A)` is the row of that
    /// level.
    ///
    /// # Errors
    /// [`Error::UnknownSet`](crate::Error::UnknownSet).
    pub fn named(name: &str) -> Result<&'static Self, crate::Error> {
        names::find(name).or_else(|| hierarchy::find(name)).ok_or(crate::Error::UnknownSet)
    }

    /// Returns the short name of an LMS set, such as `LMS_SHA256_M32_H10_W4`. For any other set,
    /// returns its name.
    pub fn short_name(&self) -> alloc::string::String {
        names::short(self)
    }

    /// Returns the other names that [`named`](Self::named) accepts: the short name, and the names
    /// of liboqs and wolfSSL.
    pub fn aliases(&self) -> alloc::vec::Vec<alloc::string::String> {
        names::aliases(self)
    }

    /// Returns the rows with this number: several for LMS, where a tree takes any one-time keys.
    fn numbered(number: Number) -> impl Iterator<Item = &'static Self> {
        SETS.iter().filter(move |set| set.number == number)
    }

    /// Returns the XMSS row with this number.
    ///
    /// # Errors
    /// [`Error::BadKey`](crate::Error::BadKey) if no row has it.
    pub fn xmss_by_oid(oid: u32) -> Result<&'static Self, crate::Error> {
        Self::numbered(Number::Xmss(oid)).next().ok_or(crate::Error::BadKey)
    }

    /// Returns the XMSS^MT row with this number.
    ///
    /// # Errors
    /// [`Error::BadKey`](crate::Error::BadKey) if no row has it.
    pub fn xmssmt_by_oid(oid: u32) -> Result<&'static Self, crate::Error> {
        Self::numbered(Number::XmssMt(oid)).next().ok_or(crate::Error::BadKey)
    }

    /// Returns the LMS row with these typecodes, 4 bytes each: of the tree and of its one-time
    /// keys.
    ///
    /// # Errors
    /// [`Error::BadKey`](crate::Error::BadKey) if no row has them.
    pub fn lms_by_types(types: &[u8; 8]) -> Result<&'static Self, crate::Error> {
        let pair = u64::from_be_bytes(*types);
        let (tree, ots) = ((pair >> 32) as u32, pair as u32);
        let mut rows = Self::numbered(Number::Typecode(tree));
        rows.find(|s| s.scheme == Scheme::Lms { ots }).ok_or(crate::Error::BadKey)
    }

    /// Returns the Winternitz parameter w: the number of values of a digit.
    pub const fn w(&self) -> usize {
        1 << self.lg_w
    }

    /// Returns the number of message digits, len_1.
    pub const fn len1(&self) -> usize {
        self.digits(8 * self.n + self.lg_w as usize - 1)
    }

    /// Returns bits / lg(w), by a shift where possible.
    const fn digits(&self, bits: usize) -> usize {
        match self.lg_w {
            1 => bits,
            2 => bits / 2,
            4 => bits / 4,
            8 => bits / 8,
            lg_w => bits / lg_w as usize,
        }
    }

    /// Returns the number of checksum digits, len_2.
    pub const fn len2(&self) -> usize {
        let mut left = self.len1() * (self.w() - 1);
        let mut digits = 0;
        while left > 0 {
            left >>= self.lg_w;
            digits += 1;
        }
        digits
    }

    /// Returns the number of chains of a one-time key, len.
    pub const fn len(&self) -> usize {
        self.len1() + self.len2()
    }

    /// Returns false: every set has chains.
    pub const fn is_empty(&self) -> bool {
        false
    }

    /// Returns the height of a tree of the lowest layer: h / d, if all trees have the same height.
    pub const fn tree_height(&self) -> u32 {
        match self.scheme {
            Scheme::Hss { .. } => self.layer(0).h,
            // Most sets have one layer, and small processors divide slowly.
            _ if self.d == 1 => self.h,
            _ => self.h / self.d,
        }
    }

    /// Returns the set of the trees of `layer`, 0 being the lowest: the row itself, except for HSS.
    pub const fn layer(&self, layer: u32) -> &Self {
        match self.scheme {
            Scheme::Hss { levels } => levels[levels.len() - 1 - layer as usize],
            _ => self,
        }
    }

    /// Returns the number of signatures that a key can make: the limit if the set has one,
    /// otherwise 2^h, or `u64::MAX` if that is too large.
    pub const fn capacity(&self) -> u64 {
        match self.limit {
            Some(limit) => limit,
            None if self.h < 64 => 1 << self.h,
            None => u64::MAX,
        }
    }

    /// Returns true if a key of the set has a state: its signatures are numbered and counted.
    pub const fn is_stateful(&self) -> bool {
        self.limit.is_some() || !matches!(self.scheme, Scheme::SlhDsa { .. })
    }

    /// Returns the size of a one-time signature in bytes.
    pub const fn ots_bytes(&self) -> usize {
        self.len() * self.n
    }

    /// Returns the size in bytes of the keys and masks of all steps of a one-time key, 2n for each
    /// step, or 0 if the scheme has none.
    pub const fn chain_row_bytes(&self) -> usize {
        match self.scheme {
            Scheme::Xmss | Scheme::XmssMt => self.ots_bytes() * (self.w() - 1) * 2,
            _ => 0,
        }
    }

    /// Returns the size in bytes of the key and the masks of a node, 3n, or 0 if the scheme has
    /// none.
    pub const fn node_row_bytes(&self) -> usize {
        match self.scheme {
            Scheme::Xmss | Scheme::XmssMt => 3 * self.n,
            _ => 0,
        }
    }

    /// Returns the size in bytes of an authentication path in one tree.
    pub const fn path_bytes(&self) -> usize {
        self.tree_height() as usize * self.n
    }

    /// Returns the size in bytes of a stateful signature above its lowest one-time signature: the
    /// path, and for every higher layer a one-time signature and a path. For HSS: the path, Nspk
    /// and the signed public keys.
    pub const fn above_bytes(&self) -> usize {
        match self.scheme {
            Scheme::Hss { .. } => self.front_bytes() + self.path_bytes(),
            _ => self.d as usize * (self.ots_bytes() + self.path_bytes()) - self.ots_bytes(),
        }
    }

    /// Returns the tree and the leaf of index `index` in the lowest layer. Given the number of a
    /// tree, it returns the place of that tree in the layer above, if all layers have the same
    /// height.
    pub const fn place(&self, index: u64) -> (u64, u32) {
        self.place_in(0, index)
    }

    /// Returns the tree and the leaf in `layer` that are above number `below`: an index for the
    /// lowest layer, the number of a tree for any other.
    pub const fn place_in(&self, layer: u32, below: u64) -> (u64, u32) {
        let width = 1 << self.layer(layer).tree_height();
        (below / width, (below % width) as u32)
    }

    /// Returns the number of trees in `layer`, 0 being the lowest, or `u64::MAX` if there are more.
    pub const fn trees(&self, layer: u32) -> u64 {
        let (mut above, mut next) = (0, layer + 1);
        while next < self.d {
            above += self.layer(next).tree_height();
            next += 1;
        }
        if above < 64 { 1 << above } else { u64::MAX }
    }

    /// Returns the size in bytes of the domain separator before KEY: n, or 4 if n = 24
    /// (SP 800-208).
    pub const fn pad(&self) -> usize {
        if self.n == 24 { 4 } else { self.n }
    }

    /// Returns the size of a signature in bytes.
    pub const fn signature_bytes(&self) -> usize {
        match self.scheme {
            Scheme::Xmss | Scheme::XmssMt => {
                self.index_bytes() + self.n + self.ots_bytes() + self.above_bytes()
            }
            Scheme::Lms { .. } => 12 + self.n + self.ots_bytes() + self.path_bytes(),
            Scheme::Hss { .. } => self.front_bytes() + self.layer(0).signature_bytes(),
            Scheme::SlhDsa { a, k } => {
                let fors = (k * (a + 1)) as usize * self.n;
                self.n + fors + self.d as usize * (self.ots_bytes() + self.path_bytes())
            }
        }
    }

    /// Returns the size of the index in a signature, in bytes.
    pub const fn index_bytes(&self) -> usize {
        match self.scheme {
            Scheme::Xmss | Scheme::Lms { .. } | Scheme::Hss { .. } => 4,
            Scheme::XmssMt => self.h.div_ceil(8) as usize,
            Scheme::SlhDsa { .. } => 0,
        }
    }

    /// Returns the size in bytes of an encoded public key, including the number of the set.
    pub const fn public_key_bytes(&self) -> usize {
        match self.scheme {
            Scheme::Xmss | Scheme::XmssMt => 4 + 2 * self.n,
            Scheme::Lms { .. } => 8 + LMS_ID_BYTES + self.n,
            Scheme::Hss { levels } => 4 + levels[0].public_key_bytes(),
            Scheme::SlhDsa { .. } => 2 * self.n,
        }
    }

    /// Returns the size in bytes of the seed of a key: three seeds of n bytes; for LMS, I and SEED;
    /// for HSS, those of the highest tree.
    pub const fn seed_bytes(&self) -> usize {
        match self.scheme {
            Scheme::Xmss | Scheme::XmssMt | Scheme::SlhDsa { .. } => 3 * self.n,
            Scheme::Lms { .. } => LMS_ID_BYTES + self.n,
            Scheme::Hss { levels } => levels[0].seed_bytes(),
        }
    }
}
