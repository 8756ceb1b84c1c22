// SPDX-License-Identifier: Apache-2.0
package io.tidemark.objects.directory;

import io.tidemark.objects.StorageFullException;
import io.tidemark.objects.StoreAccessException;
import io.tidemark.objects.StoreFailureException;
import io.tidemark.objects.TidemarkException;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Path;

/** Translator of errors of the file system. The JDK tells most of them apart by text only. */
final class FileSystemErrorTranslator {

  private FileSystemErrorTranslator() {}

  static TidemarkException of(IOException e, String doing, Path root) {
    String reason = reason(e);
    String problem = doing + " in " + root + " failed: " + reason;
    if (reason.contains("No space left") || reason.contains("quota exceeded")) {
      return new StorageFullException(problem + "; free some space, then do it again", e);
    }
    if (e instanceof AccessDeniedException
        || reason.contains("Permission denied")
        || reason.contains("Read-only file system")) {
      return new StoreAccessException(
          problem + "; check the owner and the permissions, and that it is mounted writable", e);
    }
    return new StoreFailureException(problem, e);
  }

  private static String reason(IOException e) {
    if (e instanceof FileSystemException f && f.getReason() != null) {
      return f.getReason();
    }
    String message = e.getMessage();
    if (message == null) {
      return e.getClass().getSimpleName();
    }
    boolean speaksForItself = e.getClass() == IOException.class;
    return speaksForItself ? message : e.getClass().getSimpleName() + ": " + message;
  }
}
