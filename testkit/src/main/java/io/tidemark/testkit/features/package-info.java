// SPDX-License-Identifier: Apache-2.0
/**
 * Contract suite of the service of features: {@link
 * io.tidemark.testkit.features.FeatureServiceContract}.
 */
@NullMarked
package io.tidemark.testkit.features;

import org.jspecify.annotations.NullMarked;
