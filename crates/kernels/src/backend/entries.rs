//! What a vector backend consists of beyond its words, written once.

/// Makes the engines of a backend: the hash functions in its words, entered with its features.
macro_rules! engines {
    ([$($feature:meta)?], $u32:ty, $u64:ty) => {
        /// SHA-256 in lanes.
        struct Lanes256;
        /// SHA-512 in lanes.
        struct Lanes512;
        /// Keccak-f\[1600\] in lanes.
        struct Lanes1600;

        $(#[$feature])?
        #[inline(never)]
        unsafe fn absorb256(state: &mut [$u32; 8], block: &[$u32; 16]) {
            sha2::compress::<sha256::Sha256, $u32>(state, *block);
        }

        $(#[$feature])?
        #[inline(never)]
        unsafe fn absorb512(state: &mut [$u64; 8], block: &[$u64; 16]) {
            sha2::compress::<sha512::Sha512, $u64>(state, *block);
        }

        $(#[$feature])?
        #[inline(never)]
        unsafe fn absorb1600(state: &mut [$u64; 25], block: &[$u64]) {
            for (lane, word) in state.iter_mut().zip(block) {
                *lane = lane.xor(*word);
            }
            keccak::permute(state);
        }

        impl Engine for Lanes256 {
            type Vector = $u32;
            type State = State256;
            type Wide = [$u32; 8];
            const BIG_ENDIAN: bool = true;

            #[inline(always)]
            fn zero() -> [$u32; 8] {
                [<$u32>::splat_zero(); 8]
            }

            #[inline(always)]
            fn absorb(state: &mut [$u32; 8], block: &[$u32]) {
                // SAFETY: engines are used only by a backend, which exists only where its
                // features were found.
                unsafe { absorb256(state, &block.as_chunks().0[0]) }
            }
        }

        impl Engine for Lanes512 {
            type Vector = $u64;
            type State = State512;
            type Wide = [$u64; 8];
            const BIG_ENDIAN: bool = true;

            #[inline(always)]
            fn zero() -> [$u64; 8] {
                [<$u64>::splat_zero(); 8]
            }

            #[inline(always)]
            fn absorb(state: &mut [$u64; 8], block: &[$u64]) {
                // SAFETY: as for SHA-256.
                unsafe { absorb512(state, &block.as_chunks().0[0]) }
            }
        }

        impl Engine for Lanes1600 {
            type Vector = $u64;
            type State = State1600;
            type Wide = [$u64; 25];
            const BIG_ENDIAN: bool = false;

            #[inline(always)]
            fn zero() -> [$u64; 25] {
                [<$u64>::splat_zero(); 25]
            }

            #[inline(always)]
            fn absorb(state: &mut [$u64; 25], block: &[$u64]) {
                // SAFETY: as for SHA-256.
                unsafe { absorb1600(state, block) }
            }
        }

        entries!([$($feature)?]);

        $(#[$feature])?
        unsafe fn fill_rows<E: Engine>(
            rule: &Masked<'_, E::State>,
            spans: &[Span],
            rows: &mut [u8],
        ) -> bool {
            lanes::fill_rows::<E>(rule, spans, rows)
        }
    };
}

/// Makes the ways into chains of a backend: one for each rule, so that the stack that a job takes, and
/// that has to be overwritten after it, is that of its own rule alone.
macro_rules! entries {
    ([$($feature:meta)?]) => {
        $(#[$feature])?
        #[inline(never)]
        unsafe fn by_tweak<E: Engine>(
            work: &fused::Work<'_, E::State>,
            rule: &chain::Tweak<'_, E::State>,
            values: &mut [u8],
        ) -> bool {
            work.tweak::<E>(rule, values)
        }

        $(#[$feature])?
        #[inline(never)]
        unsafe fn by_masks<E: Engine>(
            work: &fused::Work<'_, E::State>,
            rule: &Masked<'_, E::State>,
            values: &mut [u8],
        ) -> bool {
            work.masked::<E>(rule, values)
        }

        $(#[$feature])?
        #[inline(never)]
        unsafe fn by_rows<E: Engine>(
            work: &fused::Work<'_, E::State>,
            rule: &chain::Rows<'_, E::State>,
            values: &mut [u8],
        ) -> bool {
            work.rows::<E>(rule, values)
        }

        /// Advances every chain; `false`, with nothing done, where the rule is of a shape that has
        /// no fused step. Fewer than `worth` chains go to `narrow`.
        $(#[$feature])?
        unsafe fn chains<E: Engine>(
            rule: &Rule<'_, E::State>,
            spans: &[Span],
            values: &mut [u8],
            worth: usize,
            narrow: fused::Narrow<'_, E::State>,
        ) -> bool {
            let work = fused::Work { rule, spans, worth, narrow };
            if !work.fits::<E>(values) {
                return false;
            }
            // SAFETY: the features are those of this function.
            unsafe {
                match rule {
                    Rule::Tweak(rule) => by_tweak::<E>(&work, rule, values),
                    Rule::Masked(rule) => by_masks::<E>(&work, rule, values),
                    Rule::Rows(rule) => by_rows::<E>(&work, rule, values),
                }
            }
        }
    };
}

/// Makes the batches of a backend that has those engines.
#[cfg(all(feature = "std", target_arch = "x86_64"))]
macro_rules! batches {
    ($feature:meta, $u32:ty, $u64:ty) => {
        #[$feature]
        unsafe fn wide256(states: &mut [State256], blocks: &[[u8; 64]]) {
            batch::lanes256::<$u32, Lanes256>(states, blocks);
        }

        #[$feature]
        unsafe fn wide512(states: &mut [State512], blocks: &[[u8; 128]]) {
            batch::lanes512::<$u64, Lanes512>(states, blocks);
        }

        #[$feature]
        unsafe fn wide1600(states: &mut [State1600]) {
            batch::lanes1600::<$u64, Lanes1600>(states);
        }

        #[$feature]
        unsafe fn digests<E: Engine>(
            messages: &Messages<'_, E::State>,
            out: &mut [u8],
            n: usize,
            worth: usize,
        ) -> usize {
            lanes::digests::<E>(messages, out, n, worth)
        }
    };
}

/// Implements the seam for a backend with those engines.
///
/// Its methods `worth` (chains, digests) and `worth_in_batches` say from how many states on a full
/// vector is cheaper than its method `narrow`, the bundle that takes fewer; for SHA-256, SHA-512,
/// Keccak.
#[cfg(all(feature = "std", target_arch = "x86_64"))]
macro_rules! backend {
    ($backend:ty, $name:literal) => {
        impl Sha256 for $backend {
            fn name(&self) -> &'static str {
                $name
            }

            fn lanes(&self) -> usize {
                <Lanes256 as Engine>::Vector::LANES
            }

            fn compress(&self, states: &mut [State256], blocks: &[[u8; 64]]) {
                // SAFETY: `self` exists, so the features were found.
                let wide = |s: &mut [_], b: &[_]| unsafe { wide256(s, b) };
                let narrow = |s: &mut [_], b: &[_]| self.narrow().sha256.compress(s, b);
                batch::split(
                    (Sha256::lanes(self), self.worth_in_batches()[0]),
                    (states, blocks),
                    wide,
                    narrow,
                );
            }

            fn chains(&self, rule: &Rule<'_, State256>, spans: &[Span], values: &mut [u8]) {
                let narrow = |rule: &Rule<'_, State256>, spans: &[Span], values: &mut [u8]| {
                    self.narrow().sha256.chains(rule, spans, values);
                };
                // SAFETY: `self` exists, so the features were found.
                if !unsafe { chains::<Lanes256>(rule, spans, values, self.worth()[0], &narrow) } {
                    chain::advance(ViaSha256(self), rule, spans, values);
                }
            }

            fn rows(&self, rule: &Masked<'_, State256>, spans: &[Span], rows: &mut [u8]) {
                // SAFETY: `self` exists, so the features were found.
                if !unsafe { fill_rows::<Lanes256>(rule, spans, rows) } {
                    chain::fill_rows(ViaSha256(self), rule, spans, rows);
                }
            }

            fn digests(&self, messages: &Messages<'_, State256>, out: &mut [u8], n: usize) {
                // SAFETY: `self` exists, so the features were found.
                let done = unsafe { digests::<Lanes256>(messages, out, n, self.worth()[0]) };
                let rest = messages.after(done, out.len() / n);
                rest.plainly(ViaSha256(self), &mut out[done * n..], n);
            }
        }

        impl Sha512 for $backend {
            fn name(&self) -> &'static str {
                $name
            }

            fn lanes(&self) -> usize {
                <Lanes512 as Engine>::Vector::LANES
            }

            fn compress(&self, states: &mut [State512], blocks: &[[u8; 128]]) {
                // SAFETY: `self` exists, so the features were found.
                let wide = |s: &mut [_], b: &[_]| unsafe { wide512(s, b) };
                let narrow = |s: &mut [_], b: &[_]| self.narrow().sha512.compress(s, b);
                batch::split(
                    (Sha512::lanes(self), self.worth_in_batches()[1]),
                    (states, blocks),
                    wide,
                    narrow,
                );
            }

            fn chains(&self, rule: &Rule<'_, State512>, spans: &[Span], values: &mut [u8]) {
                let narrow = |rule: &Rule<'_, State512>, spans: &[Span], values: &mut [u8]| {
                    self.narrow().sha512.chains(rule, spans, values);
                };
                // SAFETY: `self` exists, so the features were found.
                if !unsafe { chains::<Lanes512>(rule, spans, values, self.worth()[1], &narrow) } {
                    chain::advance(ViaSha512(self), rule, spans, values);
                }
            }

            fn rows(&self, rule: &Masked<'_, State512>, spans: &[Span], rows: &mut [u8]) {
                // SAFETY: `self` exists, so the features were found.
                if !unsafe { fill_rows::<Lanes512>(rule, spans, rows) } {
                    chain::fill_rows(ViaSha512(self), rule, spans, rows);
                }
            }

            fn digests(&self, messages: &Messages<'_, State512>, out: &mut [u8], n: usize) {
                // SAFETY: `self` exists, so the features were found.
                let done = unsafe { digests::<Lanes512>(messages, out, n, self.worth()[1]) };
                let rest = messages.after(done, out.len() / n);
                rest.plainly(ViaSha512(self), &mut out[done * n..], n);
            }
        }

        impl Keccak for $backend {
            fn name(&self) -> &'static str {
                $name
            }

            fn lanes(&self) -> usize {
                <Lanes1600 as Engine>::Vector::LANES
            }

            fn permute(&self, states: &mut [State1600]) {
                // SAFETY: `self` exists, so the features were found.
                let wide = |s: &mut [_], _: &[()]| unsafe { wide1600(s) };
                let narrow = |s: &mut [_], _: &[()]| self.narrow().keccak.permute(s);
                let blocks = batch::no_blocks(states.len());
                batch::split(
                    (Keccak::lanes(self), self.worth_in_batches()[2]),
                    (states, blocks),
                    wide,
                    narrow,
                );
            }

            fn chains(&self, rule: &Rule<'_, State1600>, spans: &[Span], values: &mut [u8]) {
                let narrow = |rule: &Rule<'_, State1600>, spans: &[Span], values: &mut [u8]| {
                    self.narrow().keccak.chains(rule, spans, values);
                };
                // SAFETY: `self` exists, so the features were found.
                if !unsafe { chains::<Lanes1600>(rule, spans, values, self.worth()[2], &narrow) } {
                    chain::advance(ViaKeccak(self), rule, spans, values);
                }
            }

            fn rows(&self, rule: &Masked<'_, State1600>, spans: &[Span], rows: &mut [u8]) {
                // SAFETY: `self` exists, so the features were found.
                if !unsafe { fill_rows::<Lanes1600>(rule, spans, rows) } {
                    chain::fill_rows(ViaKeccak(self), rule, spans, rows);
                }
            }

            fn digests(&self, messages: &Messages<'_, State1600>, out: &mut [u8], n: usize) {
                // SAFETY: `self` exists, so the features were found.
                let done = unsafe { digests::<Lanes1600>(messages, out, n, self.worth()[2]) };
                let rest = messages.after(done, out.len() / n);
                rest.plainly(ViaKeccak(self), &mut out[done * n..], n);
            }
        }
    };
}

#[cfg(all(feature = "std", target_arch = "x86_64"))]
pub(crate) use {backend, batches};
pub(crate) use {engines, entries};
