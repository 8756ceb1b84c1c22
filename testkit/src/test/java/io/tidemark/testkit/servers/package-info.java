// SPDX-License-Identifier: Apache-2.0
/** Shows each server with a real client, and that its faults do what they say. */
@NullMarked
package io.tidemark.testkit.servers;

import org.jspecify.annotations.NullMarked;
