// SPDX-License-Identifier: Apache-2.0
/**
 * Contract suites of the service of features: {@link
 * io.tidemark.testkit.features.FeatureServiceContract} and the classes that extend it.
 */
@NullMarked
package io.tidemark.testkit.features;

import org.jspecify.annotations.NullMarked;
