// SPDX-License-Identifier: Apache-2.0
package io.tidemark.events.claim;

/** How far one handler is with the events on the shelf. */
public final class Desk {}
