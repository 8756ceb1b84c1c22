// SPDX-License-Identifier: Apache-2.0
/**
 * Times and ages as people type them: {@link io.tidemark.cli.time.TimeExpression} for every option
 * that takes a moment, {@link io.tidemark.cli.time.AgeConverter} for those that take a duration.
 */
@NullMarked
package io.tidemark.cli.time;

import org.jspecify.annotations.NullMarked;
