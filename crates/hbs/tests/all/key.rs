//! A key that all tests of this program share.

/// An XMSS-SHA2_10_256 key, generated once in each test program.
pub struct Key {
    pub public: hasten_hbs::PublicKey,
    pub seed: Vec<u8>,
    pub cache: Vec<u8>,
}

impl Key {
    /// Returns the nodes in the cache, without the number of their tree.
    pub fn row(&self) -> &[u8] {
        &self.cache[8..]
    }

    /// Returns a signer that is ready for index `next`.
    pub fn signer(&self, next: u64) -> hasten_hbs::Signer<'static> {
        let kernels = hasten_kernels::Kernels::best();
        hasten_hbs::load(
            &self.public,
            &self.seed,
            &self.cache,
            &hasten_hbs::hazmat::Throwaway::starting_at(next),
            kernels,
        )
        .unwrap()
    }
}

/// Returns the shared key.
pub fn key() -> &'static Key {
    static KEY: std::sync::OnceLock<Key> = std::sync::OnceLock::new();
    KEY.get_or_init(|| {
        let set = hasten_hbs::Set::named("XMSS-SHA2_10_256").unwrap();
        let seed: Vec<u8> = (0..96).collect();
        let kernels = hasten_kernels::Kernels::best();
        let mut generation = hasten_hbs::KeyGeneration::new(set, &seed, kernels).unwrap();
        let go_on = |_| std::ops::ControlFlow::Continue(());
        let signer = generation.run(2, &mut { go_on }).unwrap();
        Key { public: signer.public_key().clone(), seed, cache: signer.to_cache() }
    })
}
