// SPDX-License-Identifier: Apache-2.0
package io.tidemark.bench.house.example.lower;

import io.tidemark.bench.house.example.upper.Upper;
import java.util.List;

/** Breaks the rule, if only by a type argument. */
public record Lower(List<Upper> uppers) {}
