// SPDX-License-Identifier: Apache-2.0
package io.tidemark.objects.s3;

import io.tidemark.objects.BackendProvider;
import io.tidemark.objects.ObjectBackend;
import java.net.URI;

/**
 * Provider that opens {@code s3://bucket/prefix}; see {@link S3Settings#parse(URI)} for what may
 * follow.
 */
public final class S3BackendProvider implements BackendProvider {

  @Override
  public String scheme() {
    return "s3";
  }

  @Override
  public ObjectBackend open(URI location) {
    return S3Backend.open(S3Settings.parse(location));
  }
}
