// SPDX-License-Identifier: Apache-2.0
/**
 * Features as JSON: what programs read and write, the same at the command line and over HTTP. Start
 * with {@link io.tidemark.features.view.FeatureJson} for what comes out, and with {@link
 * io.tidemark.features.view.QueryJson} and {@link io.tidemark.features.view.WritesJson} for what
 * goes in.
 */
@NullMarked
package io.tidemark.features.view;

import org.jspecify.annotations.NullMarked;
