// SPDX-License-Identifier: Apache-2.0
package io.tidemark.events.claim;

/** The events of a namespace that a process knows of. */
public final class Shelf {}
