// SPDX-License-Identifier: Apache-2.0
package io.tidemark.bench.house.example.upper;

import io.tidemark.bench.house.example.lower.Lower;
import java.util.Optional;

/** Keeps the rule: an upper room may use a lower one. */
public record Upper(Optional<Lower> lower) {}
