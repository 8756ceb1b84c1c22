// SPDX-License-Identifier: Apache-2.0
package io.tidemark.cli.house.example.upper;

import io.tidemark.cli.house.example.lower.Lower;
import java.util.Optional;

/** Keeps the rule: an upper room may use a lower one. */
public record Upper(Optional<Lower> lower) {}
