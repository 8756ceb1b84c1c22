// SPDX-License-Identifier: Apache-2.0
package io.tidemark.server.http;

import java.io.IOException;

/**
 * Answers one kind of request. It may block. What it throws becomes a problem document: a {@link
 * io.tidemark.objects.TidemarkException} one that says what went wrong, all else one that doesn't.
 */
@FunctionalInterface
public interface RouteHandler {

  RouteResponse answer(HttpRequestContext httpRequestContext) throws IOException;
}
