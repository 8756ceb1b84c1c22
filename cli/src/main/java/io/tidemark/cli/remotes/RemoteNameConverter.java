// SPDX-License-Identifier: Apache-2.0
package io.tidemark.cli.remotes;

import io.tidemark.remotes.InvalidRemoteException;
import io.tidemark.remotes.RemoteName;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Converter of the name of a remote. */
final class RemoteNameConverter implements ITypeConverter<RemoteName> {

  @Override
  public RemoteName convert(String text) {
    try {
      return new RemoteName(text);
    } catch (InvalidRemoteException e) {
      throw new TypeConversionException(e.getMessage());
    }
  }
}
