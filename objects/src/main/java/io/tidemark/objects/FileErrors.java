// SPDX-License-Identifier: Apache-2.0
package io.tidemark.objects;

import java.io.EOFException;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.util.Optional;

/** Messages for failures to read or write a file of the user. */
public final class FileErrors {

  private FileErrors() {}

  /** Returns the reason of a failure, with a remedy where there is one, and without the name. */
  public static String reason(IOException e) {
    if (e instanceof NoSuchFileException) {
      return "there is no such file or directory; check its name";
    }
    if (e instanceof AccessDeniedException) {
      return "access is denied; ask for it, or take another place";
    }
    if (e instanceof CharacterCodingException) {
      return "it isn't UTF-8; convert it first";
    }
    if (e instanceof FileSystemException known && known.getReason() != null) {
      return known.getReason();
    }
    if (e instanceof EOFException) { // whose message, if it has one, names a class of Java's
      return "it is cut off; get it anew";
    }
    return Optional.ofNullable(e.getMessage()).orElseGet(e::toString);
  }
}
