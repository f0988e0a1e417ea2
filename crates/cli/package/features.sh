#!/usr/bin/env bash
# Prints the features that packages of the tool are built with: those of crates/cli/Cargo.toml.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
sed -n '/^\[package.metadata.deb\]/,/^\[/s/^features = \[\(.*\)\]$/\1/p' Cargo.toml | tr -d '" '
