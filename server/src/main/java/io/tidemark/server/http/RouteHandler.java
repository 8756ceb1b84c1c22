// SPDX-License-Identifier: Apache-2.0
package io.tidemark.server.http;

import java.io.IOException;

/**
 * Handler of one kind of request, which may block. An exception becomes a problem document: a
 * {@link io.tidemark.objects.TidemarkException} one that tells the cause, any other one that
 * doesn't.
 */
@FunctionalInterface
public interface RouteHandler {

  RouteResponse answer(HttpRequestContext httpRequestContext) throws IOException;
}
