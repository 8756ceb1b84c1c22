// SPDX-License-Identifier: Apache-2.0
package io.tidemark.events.store;

/** Where the objects of a bus are. */
public final class Layout {}
